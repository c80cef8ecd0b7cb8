package io.nightsweep.conductor;

import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the deployed state already sets: variables that the model's env file exports, and flags that
 * this file or the image passes to the compiler. A candidate that only sets the same values equals
 * the baseline.
 */
final class Inherited {
  /** The inventory's form for an export of an env file that applies to every cell of its model. */
  private static final Pattern EXPORT = Pattern.compile("(\\S+\\.env\\.sh): ([A-Za-z_]\\w*)");

  private static final Pattern FLAG = Pattern.compile("--(xla_\\w+)(?:=([^\\s\"']+))?");

  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> sources = new TreeMap<>();

  private Inherited(SweepState s) {
    for (Fact fact : s.inventory()) {
      Matcher export = EXPORT.matcher(fact.name());
      if (export.matches()) {
        exported(export.group(1), export.group(2), fact.value());
      }
    }
    // The flags that the compiler received take precedence over the flags in a file.
    LastFindings.last(s, Finding.FLAGS).ifPresent(this::compiled);
  }

  /**
   * The sources that already set everything that the profile sets; empty if it changes anything.
   */
  static Optional<List<String>> sets(SweepState s, Profile profile) {
    Map<String, String> wanted = new TreeMap<>(profile.env());
    profile.flags().forEach((flag, value) -> wanted.put(flag.replaceFirst("^--", ""), value));
    if (profile.base() != Profile.Base.DEPLOYED
        || !profile.overrides().isEmpty()
        || wanted.isEmpty()) {
      return Optional.empty();
    }
    Inherited inherited = new Inherited(s);
    TreeSet<String> where = new TreeSet<>();
    for (Map.Entry<String, String> setting : wanted.entrySet()) {
      String value = inherited.values.get(setting.getKey());
      if (value == null || !canonical(value).equals(canonical(setting.getValue()))) {
        return Optional.empty();
      }
      where.add(inherited.sources.get(setting.getKey()));
    }
    return Optional.of(new ArrayList<>(where));
  }

  private void exported(String file, String variable, String written) {
    if (variable.equals("XLA_FLAGS")) {
      if (!written.contains("XLA_FLAGS")) {
        values.keySet().removeIf(name -> name.startsWith("xla_"));
      }
      Matcher flag = FLAG.matcher(written);
      while (flag.find()) {
        String value = flag.group(2);
        put(flag.group(1), value == null ? "true" : value, file);
      }
    } else if (!written.contains("$")) {
      put(variable, written.replaceFirst("^([\"'])(.*)\\1.*$", "$2"), file);
    }
  }

  private void compiled(Finding options) {
    String source = String.join(", ", options.sources());
    options
        .figures()
        .forEach(
            (flag, value) -> {
              if (flag.startsWith("xla_")) {
                put(flag, Double.toString(value), source);
              }
            });
  }

  private void put(String setting, String value, String source) {
    values.put(setting, value);
    sources.put(setting, source);
  }

  /** A canonical form: numbers by value, true and false as XLA reads them. */
  private static String canonical(String value) {
    String text = value.strip().toLowerCase(Locale.ROOT);
    String number =
        switch (text) {
          case "true", "" -> "1";
          case "false" -> "0";
          default -> text;
        };
    try {
      return Double.toString(Double.parseDouble(number));
    } catch (NumberFormatException e) {
      return text;
    }
  }
}
