package io.nightsweep.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Round values on an axis, all printed with the same number of decimals. */
record Axis(double step, int decimals) {
  private static final int MINUTE = 60;
  private static final int HOUR = 3600;

  /**
   * Steps of 1, 2 or 5 times a power of ten.
   *
   * @param span of the values shown; more than 0
   * @param most the number of ticks for which there is room
   */
  static Axis of(double span, int most) {
    double power = Math.pow(10, Math.floor(Math.log10(span / most)));
    double step = power;
    for (double times : new double[] {1, 2, 5, 10}) {
      step = power * times;
      if (span / step <= most) {
        break;
      }
    }
    return new Axis(step, Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9)));
  }

  /**
   * From the first tick that is not below {@code low} to the last that is not above {@code high}.
   */
  List<Double> ticks(double low, double high) {
    List<Double> ticks = new ArrayList<>();
    long last = (long) Math.floor(high / step + 1e-9);
    for (long i = (long) Math.ceil(low / step - 1e-9); i <= last; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  String label(double tick) {
    return String.format(Locale.ROOT, "%." + decimals + "f", tick);
  }

  /** The tick with its sign, also a plus; zero has none. */
  String signed(double tick) {
    return String.format(Locale.ROOT, (tick < step / 2 ? "%." : "%+.") + decimals + "f", tick);
  }

  /**
   * The unit for a time, and its length in seconds.
   *
   * @param name the word after "in"
   */
  record TimeUnit(String name, double seconds) {
    static TimeUnit of(double seconds) {
      return seconds < 3 * MINUTE
          ? new TimeUnit("seconds", 1)
          : seconds < 3 * HOUR ? new TimeUnit("minutes", MINUTE) : new TimeUnit("hours", HOUR);
    }
  }
}
