package io.nightsweep.measure;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Distinguishes a gain that a setting can bring from one that shows a broken program: a run that
 * skips its work but still prints figures is implausibly fast. The limit is raised by the scatter
 * of the baseline's own runs, since a machine that halves the speed of one baseline run may double
 * that of another; but at most doubled.
 *
 * @param mostGain the largest gain over the baseline that is believed, as a fraction
 */
public record Plausibility(double mostGain) {
  /** Standard deviation divided by median absolute deviation, for a normal distribution. */
  private static final double NORMAL_MAD = 1.4826;

  /** Noise alone explains deviations of a run up to this many standard deviations. */
  private static final double ALLOWED = 3;

  /** With two runs it is unknown which one is broken. */
  private static final int FEWEST_FOR_NOISE = 3;

  /**
   * The gain of an implausible run, as a fraction; empty where the run is plausible or there is no
   * baseline run to compare with. The median baseline run counts, so that one broken baseline run
   * among several neither hides nor causes an implausible gain.
   *
   * @param logMetric natural logarithm of the run's metric, of which greater is better
   * @param baseline log metrics of the baseline's runs on the same config tag
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
