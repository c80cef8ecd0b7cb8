package io.nightsweep.sweep;

import java.time.Duration;
import java.util.Locale;

/** Times as numbers of hours, the unit of budgets. */
public final class Hours {
  private static final double MILLIS = 3_600_000;

  private Hours() {}

  public static double of(Duration time) {
    return time.toMillis() / MILLIS;
  }

  public static Duration time(double hours) {
    return Duration.ofMillis(Math.round(MILLIS * hours));
  }

  /** With one decimal and rounded up, since a slightly smaller budget would be too small. */
  public static String roundedUp(double hours) {
    return String.format(Locale.ROOT, "%.1f", Math.ceil(10 * hours - 1e-9) / 10);
  }
}
