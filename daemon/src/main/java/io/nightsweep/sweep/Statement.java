package io.nightsweep.sweep;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A message to people in a form that is independent of language: a report composes the sentence in
 * its reader's language. No decision depends on it.
 */
public sealed interface Statement {
  /** Says nothing. */
  Statement NONE = words("");

  /** Text from a log, a program or a person, which is not translated. */
  record Words(String text) implements Statement {}

  /**
   * A phrase of the reports' catalogues.
   *
   * @param key below {@code said.}
   * @param values for the phrase's placeholders, in their order; at most ten
   */
  record Phrase(String key, List<Statement> values) implements Statement {
    public Phrase {
      values = List.copyOf(values);
    }
  }

  /**
   * Several statements in a row.
   *
   * @param joint the separator, such as {@code ", "}
   */
  record Row(String joint, List<Statement> parts) implements Statement {
    public Row {
      parts = List.copyOf(parts);
    }
  }

  /** This statement with each text cut to this many characters, and a mark if more follow. */
  default Statement cut(int mostCharacters) {
    return withTexts(
        whole -> {
          String text = whole.strip();
          return text.length() <= mostCharacters ? text : text.substring(0, mostCharacters) + "...";
        });
  }

  /** This statement with each text changed; the phrases stay. */
  default Statement withTexts(UnaryOperator<String> change) {
    return switch (this) {
      case Words w -> words(change.apply(w.text()));
      case Phrase p -> new Phrase(p.key(), withTexts(p.values(), change));
      case Row r -> new Row(r.joint(), withTexts(r.parts(), change));
    };
  }

  private static List<Statement> withTexts(List<Statement> all, UnaryOperator<String> change) {
    return all.stream().map(one -> one.withTexts(change)).toList();
  }

  static Statement words(String text) {
    return new Words(text);
  }

  /**
   * @param values each a statement, or an object for {@link String#valueOf}
   */
  static Statement phrase(String key, Object... values) {
    return new Phrase(key, Arrays.stream(values).map(Statement::value).toList());
  }

  static Statement row(String joint, List<? extends Statement> parts) {
    return parts.size() == 1 ? parts.getFirst() : new Row(joint, List.copyOf(parts));
  }

  static Statement row(String joint, Statement... parts) {
    return row(joint, List.of(parts));
  }

  private static Statement value(Object value) {
    return value instanceof Statement s ? s : new Words(Objects.toString(value));
  }
}
