package io.nightsweep.measure;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Tells a gain that a setting may bring from one that only a broken program shows: a run that skips
 * its work and still prints figures is fast beyond belief. What the baseline's own runs scatter is
 * allowed for, since a machine that halves the speed of a baseline's run doubles that of another's;
 * but no more than the limit once more.
 *
 * @param mostGain the largest gain over the baseline that is believed, as a fraction
 */
public record Plausibility(double mostGain) {
  /** The standard deviation over the median absolute deviation of a normal distribution. */
  private static final double NORMAL_MAD = 1.4826;

  /** A deviation of a run up to this many standard deviations is explained by noise alone. */
  private static final double ALLOWED = 3;

  /** With two runs nobody can tell which one is broken. */
  private static final int FEWEST_FOR_NOISE = 3;

  /**
   * The gain of a run that is not to be believed, as a fraction; empty where the run is plausible
   * or nothing was measured to hold it against. The median baseline run counts, so that one broken
   * baseline run among several neither hides nor makes an implausible gain.
   *
   * @param logMetric natural logarithm of the run's metric, of which greater is better
   * @param baseline the same of the baseline's runs on the same config tag
   */
  public OptionalDouble implausibleGain(double logMetric, List<Double> baseline) {
    if (baseline.isEmpty()) {
      return OptionalDouble.empty();
    }
    double median = Median.of(baseline);
    double noise =
        baseline.size() < FEWEST_FOR_NOISE
            ? 0
            : NORMAL_MAD * Median.of(baseline.stream().map(b -> Math.abs(b - median)).toList());
    double gain = Math.expm1(logMetric - median);
    double limit = Math.log1p(mostGain);
    return Math.log1p(gain) > limit + Math.min(ALLOWED * noise, limit)
        ? OptionalDouble.of(gain)
        : OptionalDouble.empty();
  }
}
