package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Measurement.MeasuredStep;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Checks that a profile still computes what the baseline computes: its loss at the same step must
 * lie where one more baseline run would lie.
 */
public final class LossGuard {

  /**
   * Losses of one model that differ only in reduction order or precision stay within this fraction.
   */
  private static final double HARMLESS_FRACTION = 0.01;

  private static final double LEVEL = 0.001;

  /** With fewer losses a trend cannot be distinguished from their scatter. */
  private static final int FEWEST_LOSSES = 6;

  private LossGuard() {}

  /**
   * Whether a run on real data trains: its losses are finite, and their mean has not risen from the
   * first third to the last by more than their scatter. A run that resumes from a checkpoint need
   * not improve.
   *
   * @return also false where fewer than six steps print a loss
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
   * Why the run is unsafe; empty if it is safe.
   *
   * @param run the profile's run
   * @param baselineLosses last losses of baseline runs with as many steps; without any, only a loss
   *     that is not a number counts as unsafe
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

  /** Half-width of the interval in which one more baseline run would lie. */
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
