package io.nightsweep.plan;

import io.nightsweep.files.SecretNames;
import io.nightsweep.journal.Redaction;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses secrets in files of people: what stands in them is journaled, printed by jobs and shown
 * in reports. A secret is known by the name of its key, by the form of its value, or since it is
 * the value of a variable that is named like one.
 */
final class Secrets {
  /** A variable that a shell fills in holds no secret yet. */
  private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\w+|\\{\\w+})");

  /** What YAML does not hand on: comments, and anchors, tags, aliases and directives. */
  private static final Pattern BESIDE_THE_DOCUMENT =
      Pattern.compile("(?:^|(?<=\\s))#.*|^%.*|(?:^|(?<=[\\s\\[{,]))[&!*][^\\s,\\[\\]{}]+");

  /** Longer than {@code false}. */
  private static final int LEAST_DIGITS = 6;

  private static final String EXPECTED =
      "expected no secrets: what is written here stands in journals and reports; a job that needs one"
          + " reads it from a file of its own";

  private static final Redaction BY_FORM = Redaction.byForm();

  private Secrets() {}

  /** Refuses secrets in comments, anchors and tags: a copy of the file is kept with the sweep. */
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

  /** Wherever it stands, comments included, and whatever it is called there. */
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
   * Refuses what is known in a document as it is read, whatever its text writes for quotes,
   * backslashes and line ends; at once, since other problems are told with the values.
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

  /** Whether it may be a secret; a list stands in a setting as one text. */
  private static boolean isValue(Yaml value) {
    return switch (value) {
      case Yaml.Scalar scalar -> isValue(scalar);
      case Yaml.Sequence sequence -> sequence.items().stream().anyMatch(Secrets::isValue);
      case Yaml.Mapping mapping -> false;
    };
  }

  /** A short number, as in {@code key: 2}, or a yes or no is not a secret. */
  private static boolean isValue(Yaml.Scalar scalar) {
    return (scalar.type() == Yaml.Scalar.Type.TEXT || scalar.text().length() >= LEAST_DIGITS)
        && !REFERENCE.matcher(scalar.text()).replaceAll("").isBlank();
  }

  private static boolean hasForm(String text) {
    String given = REFERENCE.matcher(text).replaceAll("");
    return !BY_FORM.of(given).equals(given);
  }
}
