package io.nightsweep.report;

import java.util.Locale;
import java.util.Set;

/** A measured value in readable units: 1.45 GB/s, 12.3 ms, 1006.5 tok/s. */
public final class Quantity {
  private static final Set<String> SCALED = Set.of("B", "B/s", "flop/s", "FLOP/s", "op/s", "Hz");
  private static final String[] LARGE = {"", "k", "M", "G", "T", "P"};
  private static final String[] SMALL = {"", "m", "µ", "n"};
  private static final double THOUSAND = 1000;

  private Quantity() {}

  /**
   * @param value not negative
   * @param unit the metric's; bytes, operations and hertz are scaled up, seconds down, and other
   *     units stay
   */
  public static String of(double value, String unit) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    double scaled = value;
    int scale = 0;
    if (SCALED.contains(unit)) {
      while (scaled >= THOUSAND && scale < LARGE.length - 1) {
        scaled /= THOUSAND;
        scale++;
      }
      return number(scaled) + " " + LARGE[scale] + unit;
    }
    if (unit.equals("s")) {
      while (scaled > 0 && scaled < 1 && scale < SMALL.length - 1) {
        scaled *= THOUSAND;
        scale++;
      }
      return number(scaled) + " " + SMALL[scale] + unit;
    }
    return Figures.value(value) + " " + unit;
  }

  /** Three significant digits. */
  private static String number(double value) {
    int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
