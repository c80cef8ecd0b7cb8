package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;
import java.util.Optional;

/**
 * Decides whether a running job has already lost, so that its remaining steps would only cost time.
 */
public final class EarlyStop {

  /** A job is stopped only if its gain plus this many standard errors is still below zero. */
  private static final double MARGIN = 4;

  private EarlyStop() {}

  /**
   * Why the job may be stopped; empty if it should go on. A job with an unsteady metric is never
   * stopped; unknown noise counts as the expected noise.
   *
   * @param series the steps so far
   * @param controlLogMetric log metric of the baseline at this time
   * @param greaterIsBetter direction of the metric
   * @param others what the profile's other runs show: the job is stopped if they have lost too, or,
   *     without other runs, if it is slower than any straggler
   */
  public static Optional<Cause> cause(
      StepSeries series,
      Window window,
      double controlLogMetric,
      boolean greaterIsBetter,
      Noise noise,
      RacingPolicy policy,
      Optional<Estimate> others) {
    Optional<SteadyState> shown = SteadyState.of(series, window);
    if (shown.isEmpty() || !SteadyState.isSteady(series, window)) {
      return Optional.empty();
    }
    SteadyState state = shown.get();
    double gain = (greaterIsBetter ? 1 : -1) * state.logMean() - controlLogMetric;
    double error =
        Math.sqrt(
            2 * Math.pow(noise.planning(policy.expectedNoise()), 2)
                + Math.pow(state.logStandardError(), 2));
    boolean mayStraggle =
        others.map(known -> known.logGain() >= 0).orElseGet(() -> !Stragglers.isBeyond(gain));
    if (!(gain + MARGIN * error < 0) || mayStraggle) {
      return Optional.empty();
    }
    return Optional.of(
        new Cause.Behind(
            Interval.percent(gain), state.steps(), 100 * noise.planning(policy.expectedNoise())));
  }
}
