package io.nightsweep.measure;

/**
 * The range in which an effect lies, as logarithms of ratios to the baseline. Unbounded where too
 * little is known.
 *
 * @param low may be negative infinity
 * @param high may be positive infinity
 */
public record Interval(double low, double high) {

  public static final Interval UNKNOWN =
      new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException(
          "an interval needs low <= high, found " + low + " to " + high);
    }
  }

  /** {@code centre} plus or minus {@code radius}; unknown if the radius is not a number. */
  public static Interval around(double centre, double radius) {
    return Double.isFinite(centre) && radius >= 0
        ? new Interval(centre - radius, centre + radius)
        : UNKNOWN;
  }

  public boolean contains(double effect) {
    return low <= effect && effect <= high;
  }

  /** Lower end as a gain in percent: a log-ratio of 0.02 is +2.02 %. */
  public double lowPercent() {
    return percent(low);
  }

  public double highPercent() {
    return percent(high);
  }

  /** A log-ratio as a gain in percent. */
  public static double percent(double logRatio) {
    return 100 * Math.expm1(logRatio);
  }
}
