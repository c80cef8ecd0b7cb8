package io.nightsweep.sweep;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What is told to people, free of any language: a report makes the sentence in its reader's
 * language. Nothing is decided by it.
 */
public sealed interface Statement {
  /** Words of a log, a program or a person, which stand as they are in every language. */
  record Words(String text) implements Statement {}

  /**
   * A phrase of the reports' catalogues.
   *
   * @param key below {@code said.}
   * @param values for the phrase's places, in their order; at most ten
   */
  record Phrase(String key, List<Statement> values) implements Statement {
    public Phrase {
      values = List.copyOf(values);
    }
  }

  /**
   * Several in a row.
   *
   * @param joint what stands between two of them, such as {@code ", "}
   */
  record Row(String joint, List<Statement> parts) implements Statement {
    public Row {
      parts = List.copyOf(parts);
    }
  }

  /** With words of at most so many characters each, and a mark where more follow. */
  default Statement cut(int mostCharacters) {
    return switch (this) {
      case Words w -> {
        String text = w.text().strip();
        yield words(
            text.length() <= mostCharacters ? text : text.substring(0, mostCharacters) + "...");
      }
      case Phrase p -> new Phrase(p.key(), cut(p.values(), mostCharacters));
      case Row r -> new Row(r.joint(), cut(r.parts(), mostCharacters));
    };
  }

  private static List<Statement> cut(List<Statement> all, int mostCharacters) {
    return all.stream().map(one -> one.cut(mostCharacters)).toList();
  }

  static Statement words(String text) {
    return new Words(text);
  }

  /**
   * @param values each a statement, or what {@link String#valueOf} makes the words of
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
