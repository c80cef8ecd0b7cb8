package io.nightsweep.page;

import java.util.Locale;

/**
 * The cost of some ticks, and the memory of the process after them.
 *
 * @param cpuMillis of the ticking thread, mean per tick
 * @param heapMebibytes after a garbage collection
 */
record TickBlock(
    int ticks,
    double medianMillis,
    double p99Millis,
    double maxMillis,
    double cpuMillis,
    double heapMebibytes,
    double residentMebibytes) {

  static final String HEADINGS =
      "ticks, each: median, p99, longest, CPU time in ms; heap after a collection and RSS in MiB";

  /** Reads what {@link #toString} writes. */
  static TickBlock parse(String line) {
    String[] f = line.split(" ", -1);
    return new TickBlock(
        Integer.parseInt(f[0]),
        Double.parseDouble(f[1]),
        Double.parseDouble(f[2]),
        Double.parseDouble(f[3]),
        Double.parseDouble(f[4]),
        Double.parseDouble(f[5]),
        Double.parseDouble(f[6]));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d %.2f %.2f %.2f %.2f %.1f %.1f",
        ticks,
        medianMillis,
        p99Millis,
        maxMillis,
        cpuMillis,
        heapMebibytes,
        residentMebibytes);
  }
}
