package io.nightsweep.workload.maxtext;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What MaxText says of a run's memory, in both of its wordings. */
final class MemoryLines {
  /** The compiled program's; MaxText divides by 1e9. */
  private static final double GB = 1e9;

  /** The devices' in use; MaxText divides by 2^30. */
  private static final double GIB = 1L << 30;

  private static final Pattern PLANNED =
      Pattern.compile(
          "\\b(total|output|temp|argument|host temp|alias)(?: estimated)?(?: memory)? size: ([0-9.]+) ?GB",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern USED = Pattern.compile("Using \\(GB\\) ([0-9.]+) / ([0-9.]+) \\(");

  private static final Map<String, String> NAMES =
      Map.of(
          "total", "totalMemoryBytes",
          "output", "outputBytes",
          "temp", "tempBytes",
          "argument", "argumentBytes",
          "host temp", "hostTempBytes",
          "alias", "aliasBytes");

  private final TreeMap<String, Double> bytes = new TreeMap<>();

  void accept(String block) {
    each(block, "memory size: ", PLANNED, MemoryLines::planned);
    each(block, "Using (GB) ", USED, MemoryLines::used);
  }

  SortedMap<String, Double> bytes() {
    return Collections.unmodifiableSortedMap(bytes);
  }

  private interface Reader {
    void read(MemoryLines lines, Matcher m);
  }

  private void each(String block, String word, Pattern pattern, Reader reader) {
    int at = block.indexOf(word);
    while (at >= 0) {
      int start = block.lastIndexOf('\n', at) + 1;
      int end = block.indexOf('\n', at);
      end = end < 0 ? block.length() : end;
      Matcher m = pattern.matcher(Line.withoutAnsi(block.substring(start, end)));
      while (m.find()) {
        reader.read(this, m);
      }
      at = block.indexOf(word, end);
    }
  }

  /** The largest of all ranks and programs: what the device has to hold. */
  private void planned(Matcher m) {
    String name = NAMES.getOrDefault(m.group(1).toLowerCase(java.util.Locale.ROOT), "");
    put(name, m.group(2), GB);
  }

  private void used(Matcher m) {
    put("usedAfterInitBytes", m.group(1), GIB);
    put("deviceBytes", m.group(2), GIB);
  }

  private void put(String name, String number, double unit) {
    try {
      bytes.merge(name, Double.parseDouble(number) * unit, Math::max);
    } catch (NumberFormatException e) {
      // "1.2.3" is no figure; the line says nothing.
    }
  }
}
