package io.nightsweep.plan;

import io.nightsweep.sweep.LowerCase;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Converts scalars into values. An invalid scalar gives an empty result, since the schema has
 * reported it.
 */
final class Values {
  private static final Pattern DURATION =
      Pattern.compile("(?=.)(?:(\\d{1,4})h)?(?:(\\d{1,4})m)?(?:(\\d{1,5})s)?");
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,2}(?:\\.\\d+)?) ?%");

  private Values() {}

  static Optional<Duration> duration(Yaml.Scalar scalar) {
    Matcher m = DURATION.matcher(scalar.text());
    return m.matches()
        ? Optional.of(
            Duration.ofHours(group(m, 1)).plusMinutes(group(m, 2)).plusSeconds(group(m, 3)))
        : Optional.empty();
  }

  /** A duration in the user's notation: {@code 1h30m}. */
  static String text(Duration duration) {
    String text =
        (duration.toHours() > 0 ? duration.toHours() + "h" : "")
            + (duration.toMinutesPart() > 0 ? duration.toMinutesPart() + "m" : "")
            + (duration.toSecondsPart() > 0 ? duration.toSecondsPart() + "s" : "");
    return text.isEmpty() ? "0s" : text;
  }

  private static long group(Matcher m, int group) {
    String digits = m.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** A fraction such as {@code 0.05} or {@code 5%}. */
  static Optional<Double> fraction(Yaml.Scalar scalar) {
    Matcher m = PERCENT.matcher(scalar.text());
    return m.matches()
        ? Optional.of(Double.parseDouble(m.group(1)) / 100)
        : number(scalar).filter(n -> n > 0 && n < 1);
  }

  /** A percentage or a plain number above 0, without an upper limit: 150% and 1.5 are the same. */
  static Optional<Double> gain(Yaml.Scalar scalar) {
    String text = scalar.text().strip();
    return text.endsWith("%")
        ? number(text.substring(0, text.length() - 1).strip()).map(n -> n / 100).filter(n -> n > 0)
        : number(text).filter(n -> n > 0);
  }

  /**
   * A fraction, or a percentage without an upper limit. A plain 5 is refused, since it may mean 5
   * %.
   */
  static Optional<Double> target(Yaml.Scalar scalar) {
    return scalar.text().strip().endsWith("%") ? gain(scalar) : fraction(scalar);
  }

  static Optional<Double> number(Yaml.Scalar scalar) {
    return number(scalar.text());
  }

  private static Optional<Double> number(String text) {
    try {
      double number = Double.parseDouble(text);
      return Double.isFinite(number) ? Optional.of(number) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static Optional<Integer> integer(Yaml.Scalar scalar) {
    try {
      return Optional.of(Integer.valueOf(scalar.text()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static boolean isTrue(Yaml.Scalar scalar) {
    return scalar.text().equalsIgnoreCase("true");
  }

  /** An enum constant from its notation: {@code set-aside} is {@code SET_ASIDE}. */
  static <E extends Enum<E>> Optional<E> constant(Class<E> type, Yaml.Scalar scalar) {
    return Arrays.stream(type.getEnumConstants())
        .filter(c -> kebab(c).equals(scalar.text()))
        .findFirst();
  }

  static String kebab(Enum<?> constant) {
    return LowerCase.of(constant).replace('_', '-');
  }

  /** Settings as texts: nested mappings with dotted keys, lists joined by commas. */
  static SortedMap<String, String> settings(Yaml.Mapping mapping) {
    TreeMap<String, String> settings = new TreeMap<>();
    collect("", mapping, settings);
    return settings;
  }

  private static void collect(String prefix, Yaml.Mapping mapping, SortedMap<String, String> into) {
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              switch (entry.value()) {
                case Yaml.Scalar s -> into.put(prefix + key, s.text());
                case Yaml.Sequence s -> into.put(prefix + key, joined(s.items()));
                case Yaml.Mapping m -> collect(prefix + key + ".", m, into);
              }
            });
  }

  private static String joined(List<Yaml> items) {
    return items.stream()
        .filter(Yaml.Scalar.class::isInstance)
        .map(i -> ((Yaml.Scalar) i).text())
        .collect(Collectors.joining(","));
  }
}
