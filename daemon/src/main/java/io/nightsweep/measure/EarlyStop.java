package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;
import java.util.Optional;

/** Whether a running job has already lost, so that its remaining steps would only cost time. */
public final class EarlyStop {

  /** Standard errors between what was seen and what is still possible. */
  private static final double MARGIN = 4;

  private EarlyStop() {}

  /**
   * Why the job may be stopped; empty if it should go on. A metric that is not yet steady never
   * stops a job, and unknown noise is taken as the expected one.
   *
   * @param series the steps so far
   * @param controlLogMetric log metric of the baseline at this time
   * @param greaterIsBetter direction of the metric
   * @param others what the profile's other runs show: a job is given up where they have lost too,
   *     and without any where no straggler is so slow
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
