package io.nightsweep.measure;

import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Measurement.MeasuredStep;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * What one run shows once it is warm.
 *
 * @param mean of the metric over the window's steps, in its unit
 * @param stepSeconds mean duration of those steps
 * @param steps how many steps of the window printed a metric
 * @param standardError of the mean within this run (see {@link Autocorrelation}), in the metric's
 *     unit; NaN for one step
 * @param decay fraction lost from the window's first third to its last; negative if the run sped up
 * @param lastLoss the last loss that any step of the whole series printed; empty without any
 * @param nonFiniteLoss whether any step of the series printed a loss that is not a finite number
 */
public record SteadyState(
    double mean,
    double stepSeconds,
    int steps,
    double standardError,
    double decay,
    OptionalDouble lastLoss,
    boolean nonFiniteLoss) {

  private static final int FEWEST_STEADY_STEPS = 4;
  private static final double LARGEST_STEADY_CHANGE = 0.02;

  /**
   * Empty if no step of the window printed a metric, or if their mean is not positive and so has no
   * logarithm.
   */
  public static Optional<SteadyState> of(StepSeries series, Window window) {
    List<MeasuredStep> steps = series.within(window);
    if (steps.isEmpty()) {
      return Optional.empty();
    }
    double[] values = steps.stream().mapToDouble(MeasuredStep::value).toArray();
    double mean = mean(values, 0, values.length);
    if (!(mean > 0) || Double.isInfinite(mean)) {
      return Optional.empty();
    }
    double effective = Autocorrelation.effectiveSize(values);
    double standardError =
        values.length < 2 ? Double.NaN : standardDeviation(values, mean) / Math.sqrt(effective);
    return Optional.of(
        new SteadyState(
            mean,
            steps.stream().mapToDouble(MeasuredStep::seconds).average().orElseThrow(),
            values.length,
            standardError,
            decay(values),
            losses(series).reduce((earlier, later) -> later),
            losses(series).anyMatch(loss -> !Double.isFinite(loss))));
  }

  /** Empty if the run had no steps, too. */
  public static Optional<SteadyState> of(Measurement run) {
    return of(new StepSeries(run.steps()), new Window(run.windowFrom(), run.windowTo()));
  }

  /**
   * Whether the metric has settled, so that a running job may be judged by its steps so far: at
   * least four steps lie in the window, and its two halves differ by at most 2 % or twice their own
   * noise.
   */
  public static boolean isSteady(StepSeries series, Window window) {
    double[] values = series.within(window).stream().mapToDouble(MeasuredStep::value).toArray();
    if (values.length < FEWEST_STEADY_STEPS) {
      return false;
    }
    int half = values.length / 2;
    double first = mean(values, 0, half);
    double second = mean(values, values.length - half, values.length);
    double change = Math.abs(second - first);
    double scatter = 0;
    for (int i = 0; i < half; i++) {
      scatter += Math.pow(values[i] - first, 2);
      scatter += Math.pow(values[values.length - half + i] - second, 2);
    }
    double noise = Math.sqrt(scatter / (2.0 * (half - 1)) * 2 / half);
    return change <= LARGEST_STEADY_CHANGE * Math.abs(first) || change <= 2 * noise;
  }

  /** Natural logarithm of the mean; NaN when the mean is not positive. */
  public double logMean() {
    return mean > 0 ? Math.log(mean) : Double.NaN;
  }

  /** Standard error of {@link #logMean()} within the run. */
  public double logStandardError() {
    return standardError / mean;
  }

  private static DoubleStream losses(StepSeries series) {
    return series.steps().stream().flatMapToDouble(step -> step.loss().stream());
  }

  private static double decay(double[] values) {
    int third = values.length / 3;
    if (third == 0) {
      return 0;
    }
    double first = mean(values, 0, third);
    return (first - mean(values, values.length - third, values.length)) / first;
  }

  private static double mean(double[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum / (to - from);
  }

  private static double standardDeviation(double[] values, double mean) {
    double sum = 0;
    for (double value : values) {
      sum += (value - mean) * (value - mean);
    }
    return Math.sqrt(sum / (values.length - 1));
  }
}
