package io.nightsweep.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The disturbances of a night; all deviations are of natural logarithms of the metric, so 0.01 is
 * about 1 %.
 *
 * @param noise standard deviation of one run's mean from the baseline of its time, including the
 *     steps' part
 * @param tailDegreesOfFreedom of the t distribution of a run's noise, scaled to that deviation; 0
 *     for normal noise
 * @param wanderPerRootHour deviation of the whole cluster's random drift in an hour
 * @param slopePerHour linear drift
 * @param stepDeviation of one step from its run's mean; small enough that the steps' part stays
 *     below {@code noise}
 * @param stepCorrelation of successive steps of a run, 0 to below 1
 * @param parts further disturbances
 */
public record Weather(
    double noise,
    int tailDegreesOfFreedom,
    double wanderPerRootHour,
    double slopePerHour,
    double stepDeviation,
    double stepCorrelation,
    List<Disturbance> parts) {

  /** The fewest with which the t distribution has a variance, by which it is scaled. */
  private static final int FEWEST_DEGREES = 3;

  public Weather {
    parts = List.copyOf(parts);
    if (!(noise >= 0)
        || !(stepDeviation >= 0)
        || !(stepCorrelation >= 0 && stepCorrelation < 1)
        || (tailDegreesOfFreedom != 0 && tailDegreesOfFreedom < FEWEST_DEGREES)) {
      throw new IllegalArgumentException(
          "expected deviations of at least 0, a correlation within [0, 1) and no tail or one of at "
              + "least 3 degrees of freedom, found "
              + "%s, %s, %s and %s"
                  .formatted(noise, stepDeviation, stepCorrelation, tailDegreesOfFreedom));
    }
  }

  /** Weather without further disturbances. */
  public Weather(
      double noise,
      int tailDegreesOfFreedom,
      double wanderPerRootHour,
      double slopePerHour,
      double stepDeviation,
      double stepCorrelation) {
    this(
        noise,
        tailDegreesOfFreedom,
        wanderPerRootHour,
        slopePerHour,
        stepDeviation,
        stepCorrelation,
        List.of());
  }

  /** Normal noise around a constant baseline. */
  public static Weather calm(double noise) {
    return new Weather(noise, 0, 0, 0, 0, 0);
  }

  /** The same with one more disturbance. */
  public Weather with(Disturbance part) {
    List<Disturbance> more = new ArrayList<>(parts);
    more.add(part);
    return new Weather(
        noise,
        tailDegreesOfFreedom,
        wanderPerRootHour,
        slopePerHour,
        stepDeviation,
        stepCorrelation,
        more);
  }

  /** The same with the run-to-run noise multiplied by a factor, including the steps' part. */
  Weather scaled(double factor) {
    return new Weather(
        factor * noise,
        tailDegreesOfFreedom,
        wanderPerRootHour,
        slopePerHour,
        factor * stepDeviation,
        stepCorrelation,
        parts);
  }

  /**
   * The weather observed on real clusters: heavy tails, a baseline that drifts by an eighth of the
   * noise from one ten-minute job to the next, and similar successive steps.
   */
  public static Weather usual(double noise) {
    return new Weather(noise, 4, noise * 0.3, noise * 0.075, noise * 0.5, 0.4);
  }

  /** The noise of one run, without the variance that its steps contribute. */
  double draw(RandomGenerator random, double stepsVariance) {
    double deviation = Math.sqrt(Math.max(0, noise * noise - stepsVariance));
    double normal = deviation * random.nextGaussian();
    if (tailDegreesOfFreedom == 0) {
      return normal;
    }
    double chiSquare = 0;
    for (int i = 0; i < tailDegreesOfFreedom; i++) {
      double z = random.nextGaussian();
      chiSquare += z * z;
    }
    return normal * Math.sqrt((tailDegreesOfFreedom - 2) / chiSquare);
  }

  /** Deviations of successive steps: a stationary first-order autoregression. */
  double[] steps(SplittableRandom random, int count) {
    double[] steps = new double[count];
    double innovation = Math.sqrt(1 - stepCorrelation * stepCorrelation);
    for (int i = 0; i < count; i++) {
      double fresh = stepDeviation * random.nextGaussian();
      steps[i] = i == 0 ? fresh : stepCorrelation * steps[i - 1] + innovation * fresh;
    }
    return steps;
  }

  /** Variance of the mean of {@code count} successive steps. */
  double meanVariance(int count) {
    double sum = count;
    for (int lag = 1; lag < count; lag++) {
      sum += 2 * (count - lag) * Math.pow(stepCorrelation, lag);
    }
    return stepDeviation * stepDeviation * sum / count / count;
  }
}
