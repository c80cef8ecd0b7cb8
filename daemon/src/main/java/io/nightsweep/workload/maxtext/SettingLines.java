package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.Line;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The settings that a probe job's MaxText has, as {@link InstalledMaxText#settings} prints them.
 */
final class SettingLines {
  /** The prefix of a line of names. */
  static final String NAMES = "nightsweep: MaxText has the settings ";

  /** The prefix of the last line; the number of names follows. */
  static final String COUNT = "nightsweep: MaxText has so many settings: ";

  private static final int MOST = 5000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w{0,79}");

  private final TreeSet<String> names = new TreeSet<>();
  private int count = -1;

  /**
   * Accepts a line only if it begins with the prefix: a log can also contain the script that prints
   * it.
   */
  void accept(Line line) {
    String said = line.body();
    if (said.startsWith(NAMES)) {
      for (String name : said.substring(NAMES.length()).strip().split(" ")) {
        if (NAME.matcher(name).matches() && names.size() < MOST) {
          names.add(name);
        }
      }
    } else if (said.startsWith(COUNT)) {
      String number = said.substring(COUNT.length()).strip();
      count = number.matches("\\d{1,4}") ? Integer.parseInt(number) : -1;
    }
  }

  /**
   * The names of all settings, or none if a line is missing: otherwise a caller would think that
   * the program lacks them.
   */
  SortedSet<String> names() {
    return Collections.unmodifiableSortedSet(names.size() == count ? names : new TreeSet<>());
  }
}
