package io.nightsweep.plan;

import io.nightsweep.files.SecretNames;
import io.nightsweep.journal.Redaction;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses secrets in people's files, since the content is journaled, printed by jobs and shown in
 * reports. A secret is recognised by its key's name, by its form, or because it equals a variable
 * with a secret's name.
 */
final class Secrets {
  /** A reference that a shell expands later is not a secret itself. */
  private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\w+|\\{\\w+})");

  /**
   * Parts of a file that YAML does not pass on: comments, anchors, tags, aliases and directives.
   */
  private static final Pattern BESIDE_THE_DOCUMENT =
      Pattern.compile("(?:^|(?<=\\s))#.*|^%.*|(?:^|(?<=[\\s\\[{,]))[&!*][^\\s,\\[\\]{}]+");

  /** The minimum length of a number or boolean that may be a secret; {@code false} is shorter. */
  private static final int LEAST_DIGITS = 6;

  private static final String EXPECTED =
      "expected no secrets: what is written here appears in journals and reports; a job that needs"
          + " a secret reads it from a file of its own";

  private static final Redaction BY_FORM = Redaction.byForm();

  private Secrets() {}

  /**
   * Refuses secrets in comments, anchors and tags too, since a copy of the file is stored with the
   * sweep.
   */
  static void refuseBesideTheDocument(String file, String text, Problems problems) {
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher beside = BESIDE_THE_DOCUMENT.matcher(lines.get(i));
      while (beside.find()) {
        if (hasForm(beside.group())) {
          problems.add(
              new Place(file, i + 1, beside.start() + 1),
              (beside.group().startsWith("#") ? "a comment" : "an anchor, alias, tag or directive")
                  + " that has the form of a secret (it is not repeated here)",
              "expected no secrets: the file is copied to the sweep's folder");
        }
      }
    }
  }

  /** Refuses known secret values anywhere in the text, including comments, under any name. */
  static void refuseKnown(
      String file, String text, Map<String, String> environment, Problems problems) {
    List<String> lines = text.lines().toList();
    environment.forEach(
        (variable, value) -> {
          Redaction secret = Redaction.of(Map.of(variable, value));
          for (int i = 0; i < lines.size(); i++) {
            int line = i + 1;
            secret
                .firstKnown(lines.get(i))
                .ifPresent(at -> known(new Place(file, line, at + 1), variable, problems));
          }
        });
  }

  /**
   * Refuses known secret values in the parsed document, however the text writes quotes, backslashes
   * and line ends. Throws at once, since messages about other problems would quote the values.
   */
  static void refuse(Yaml.Mapping document, Map<String, String> environment)
      throws InvalidInputException {
    Problems problems = new Problems();
    environment.forEach(
        (variable, value) -> {
          Redaction secret = Redaction.of(Map.of(variable, value));
          each(
              document,
              (place, text) -> {
                if (secret.firstKnown(text).isPresent()) {
                  known(place, variable, problems);
                }
              });
        });
    problems.throwIfAny();
  }

  private static void known(Place place, String variable, Problems problems) {
    problems.add(
        place, "what your variable " + variable + " holds (it is not repeated here)", EXPECTED);
  }

  private static void each(Yaml value, BiConsumer<Place, String> text) {
    switch (value) {
      case Yaml.Mapping mapping ->
          mapping
              .entries()
              .values()
              .forEach(
                  entry -> {
                    text.accept(entry.keyPlace(), entry.key());
                    each(entry.value(), text);
                  });
      case Yaml.Sequence sequence -> sequence.items().forEach(item -> each(item, text));
      case Yaml.Scalar scalar -> text.accept(scalar.place(), scalar.text());
    }
  }

  static void refuse(Yaml.Mapping document, Problems problems) {
    for (Yaml.YamlEntry entry : document.entries().values()) {
      if (hasForm(entry.key())) {
        problems.add(
            entry.keyPlace(),
            "a key that has the form of a secret (it is not repeated here)",
            EXPECTED);
      } else if (SecretNames.isSecret(entry.key()) && isValue(entry.value())) {
        problems.add(entry.keyPlace(), "'" + entry.key() + "' is named like a secret", EXPECTED);
      } else {
        refuse(entry.value(), problems);
      }
    }
  }

  private static void refuse(Yaml value, Problems problems) {
    switch (value) {
      case Yaml.Mapping mapping -> refuse(mapping, problems);
      case Yaml.Sequence sequence -> sequence.items().forEach(item -> refuse(item, problems));
      case Yaml.Scalar scalar -> {
        if (hasForm(scalar.text())) {
          problems.add(
              scalar.place(),
              "a value that has the form of a secret (it is not repeated here)",
              EXPECTED);
        }
      }
    }
  }

  /** Whether it may be a secret; a list counts as a single text. */
  private static boolean isValue(Yaml value) {
    return switch (value) {
      case Yaml.Scalar scalar -> isValue(scalar);
      case Yaml.Sequence sequence -> sequence.items().stream().anyMatch(Secrets::isValue);
      case Yaml.Mapping mapping -> false;
    };
  }

  /** Whether it may be a secret: not a short number, as in {@code key: 2}, and not a boolean. */
  private static boolean isValue(Yaml.Scalar scalar) {
    return (scalar.type() == Yaml.Scalar.Type.TEXT || scalar.text().length() >= LEAST_DIGITS)
        && !REFERENCE.matcher(scalar.text()).replaceAll("").isBlank();
  }

  private static boolean hasForm(String text) {
    String given = REFERENCE.matcher(text).replaceAll("");
    return !BY_FORM.of(given).equals(given);
  }
}
