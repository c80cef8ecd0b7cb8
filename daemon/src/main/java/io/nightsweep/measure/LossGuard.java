package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Measurement.MeasuredStep;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether a profile still computes what the baseline computes: its loss at the same step must lie
 * where one more run of the baseline would lie.
 */
public final class LossGuard {

  /** Losses of the same model with another reduction order or precision differ by less. */
  private static final double HARMLESS_FRACTION = 0.01;

  private static final double LEVEL = 0.001;

  /** With fewer losses no trend can be told from their scatter. */
  private static final int FEWEST_LOSSES = 6;

  private LossGuard() {}

  /**
   * Whether a run on real data trains: its losses are finite, and from their first third to their
   * last the mean has not risen by more than they scatter. A run that resumes from a checkpoint may
   * stay where it is.
   *
   * @return false too where fewer than six steps print a loss
   */
  public static boolean trains(List<MeasuredStep> steps) {
    double[] losses =
        steps.stream()
            .filter(step -> step.loss().isPresent())
            .mapToDouble(step -> step.loss().getAsDouble())
            .toArray();
    if (losses.length < FEWEST_LOSSES || !DoubleStream.of(losses).allMatch(Double::isFinite)) {
      return false;
    }
    int third = losses.length / 3;
    double[] first = Arrays.copyOf(losses, third);
    double[] last = Arrays.copyOfRange(losses, losses.length - third, losses.length);
    double before = DoubleStream.of(first).average().orElseThrow();
    double after = DoubleStream.of(last).average().orElseThrow();
    return after <= before + Math.max(scatter(first, before), scatter(last, after));
  }

  private static double scatter(double[] losses, double mean) {
    return Math.sqrt(
        DoubleStream.of(losses).map(loss -> (loss - mean) * (loss - mean)).sum()
            / (losses.length - 1));
  }

  /**
   * Why the run is unsafe; empty if it is not.
   *
   * @param run the profile's run
   * @param baselineLosses last losses of baseline runs of as many steps; without any, only a loss
   *     that is not a number is found
   */
  public static Optional<Cause.OtherResult> unsafe(SteadyState run, List<Double> baselineLosses) {
    if (run.nonFiniteLoss()) {
      return Optional.of(new Cause.LossNotFinite());
    }
    List<Double> losses = baselineLosses.stream().filter(Double::isFinite).toList();
    if (run.lastLoss().isEmpty() || losses.isEmpty()) {
      return Optional.empty();
    }
    double mean = losses.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double tolerance = Math.max(HARMLESS_FRACTION * Math.abs(mean), predicted(losses, mean));
    double loss = run.lastLoss().getAsDouble();
    return Math.abs(loss - mean) <= tolerance
        ? Optional.empty()
        : Optional.of(new Cause.LossDiffers(loss, mean, tolerance));
  }

  /** Half-width of the interval in which one more baseline run lies. */
  private static double predicted(List<Double> losses, double mean) {
    int n = losses.size();
    if (n < 2) {
      return 0;
    }
    double squares = losses.stream().mapToDouble(loss -> (loss - mean) * (loss - mean)).sum();
    return Math.sqrt(squares / (n - 1) * (1 + 1.0 / n))
        * TDistribution.of(n - 1).inverseSurvivalProbability(LEVEL / 2);
  }
}
