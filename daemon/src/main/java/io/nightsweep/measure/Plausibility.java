package io.nightsweep.measure;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Tells a gain that a setting may bring from one that only a broken program shows: a run that skips
 * its work and still prints figures is fast beyond belief.
 *
 * @param mostGain the largest gain over the baseline that is believed, as a fraction
 */
public record Plausibility(double mostGain) {
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
    List<Double> sorted = baseline.stream().sorted().toList();
    int middle = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    double gain = Math.expm1(logMetric - median);
    return gain > mostGain ? OptionalDouble.of(gain) : OptionalDouble.empty();
  }
}
