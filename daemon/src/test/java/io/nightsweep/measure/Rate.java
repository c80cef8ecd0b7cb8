package io.nightsweep.measure;

import java.util.Locale;
import org.apache.commons.statistics.distribution.BetaDistribution;

/** How often something happened in many nights. */
public final class Rate {
  private Rate() {}

  /** The rate in percent, with the exact 95 % interval (Clopper and Pearson 1934). */
  public static String of(int hits, int nights) {
    double low =
        hits == 0
            ? 0
            : BetaDistribution.of(hits, nights - hits + 1.0).inverseCumulativeProbability(0.025);
    double high =
        hits == nights
            ? 1
            : BetaDistribution.of(hits + 1.0, nights - hits).inverseCumulativeProbability(0.975);
    return String.format(
        Locale.ROOT, "%.2f %% (%.2f-%.2f)", 100.0 * hits / nights, 100 * low, 100 * high);
  }
}
