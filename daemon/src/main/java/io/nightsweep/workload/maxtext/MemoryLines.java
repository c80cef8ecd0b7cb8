package io.nightsweep.workload.maxtext;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads MaxText's lines about a run's memory, in both of their wordings. */
final class MemoryLines {
  /**
   * MaxText divides by 2^30 and writes GB, both for the compiled program's sizes and for the
   * devices.
   */
  private static final double GIB = 1L << 30;

  private static final Pattern PLANNED =
      Pattern.compile(
          "\\b(total|output|temp|argument|host temp|alias)(?: estimated)?(?: memory)? size: ([0-9.]+) ?GB",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern USED = Pattern.compile("Using \\(GB\\) ([0-9.]+) / ([0-9.]+) \\(");

  private static final String PLANNED_WORD = "memory size: ";
  private static final String USED_WORD = "Using (GB) ";

  /** Only a line with one of these words can be about memory. */
  static final List<String> WORDS = List.of(PLANNED_WORD, USED_WORD);

  private static final Map<String, String> NAMES =
      Map.of(
          "total", "totalMemoryBytes",
          "output", "outputBytes",
          "temp", "tempBytes",
          "argument", "argumentBytes",
          "host temp", "hostTempBytes",
          "alias", "aliasBytes");

  private final TreeMap<String, Double> bytes = new TreeMap<>();

  void accept(String line) {
    each(line, PLANNED_WORD, PLANNED, MemoryLines::planned);
    each(line, USED_WORD, USED, MemoryLines::used);
  }

  SortedMap<String, Double> bytes() {
    return Collections.unmodifiableSortedMap(bytes);
  }

  private interface LineReading {
    void read(MemoryLines lines, Matcher m);
  }

  private void each(String line, String word, Pattern pattern, LineReading reader) {
    if (line.contains(word)) {
      Matcher m = pattern.matcher(line);
      while (m.find()) {
        reader.read(this, m);
      }
    }
  }

  /** The maximum over all ranks and programs: what a device must hold. */
  private void planned(Matcher m) {
    String name = NAMES.getOrDefault(m.group(1).toLowerCase(Locale.ROOT), "");
    put(name, m.group(2), GIB);
  }

  private void used(Matcher m) {
    put("usedAfterInitBytes", m.group(1), GIB);
    put("deviceBytes", m.group(2), GIB);
  }

  private void put(String name, String number, double unit) {
    try {
      bytes.merge(name, Double.parseDouble(number) * unit, Math::max);
    } catch (NumberFormatException e) {
      // Something like "1.2.3" is not a figure; the line is skipped.
    }
  }
}
