package io.nightsweep.page;

import java.util.Locale;

/**
 * What some ticks took, and what the process held after them.
 *
 * @param cpuMillis of the ticking thread, the mean of a tick
 * @param heapMebibytes collected
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

  /** As {@link #toString} writes it. */
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
