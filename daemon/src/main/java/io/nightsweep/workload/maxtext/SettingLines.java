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
  /** A line of names begins with it. */
  static final String NAMES = "nightsweep: MaxText has the settings ";

  /** How many there are follows, on the last line. */
  static final String COUNT = "nightsweep: MaxText has so many settings: ";

  private static final int MOST = 5000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w{0,79}");

  private final TreeSet<String> names = new TreeSet<>();
  private int count = -1;

  /** Only where a rank says it: a log can hold the script that prints it as well. */
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
   * The names of all settings, or none if a line is missing: a caller takes a name that is absent
   * for one that the program does not know.
   */
  SortedSet<String> names() {
    return Collections.unmodifiableSortedSet(names.size() == count ? names : new TreeSet<>());
  }
}
