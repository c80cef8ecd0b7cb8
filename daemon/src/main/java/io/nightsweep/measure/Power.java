package io.nightsweep.measure;

import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * What a number of runs can detect. Two-sided tests of one arm against as many controls; noise and
 * effects are log-ratios, so 0.01 is about 1 %.
 */
public final class Power {

  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
  private static final int MOST_RUNS = 10_000;
  private static final int CALIBRATION_RUNS = 3;
  private static final int SMALLEST_CONFIRMATION = 6;

  private Power() {}

  /**
   * Runs per arm that detect {@code effect} with the given power, if the noise is known.
   *
   * @param arms profiles that share the level (Bonferroni)
   */
  public static int runsPerArm(double noise, double effect, double power, double level, int arms) {
    double z =
        NORMAL.inverseSurvivalProbability(level / arms / 2)
            + NORMAL.inverseCumulativeProbability(power);
    return (int) Math.ceil(2 * Math.pow(z * noise / effect, 2) - 1e-9);
  }

  /**
   * Chance to detect {@code effect} if the noise is estimated with {@code degreesOfFreedom}.
   *
   * @param level of this arm alone, both sides
   */
  public static double power(
      double noise, double effect, int runsPerArm, double level, int degreesOfFreedom) {
    double shift = effect / (noise * Math.sqrt(2.0 / runsPerArm));
    double bound = TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(level / 2);
    // Johnson and Welch (1940): approximates the noncentral t distribution by the normal one.
    double scale = Math.sqrt(1 + bound * bound / (2 * degreesOfFreedom));
    double centred = bound * (1 - 1 / (4.0 * degreesOfFreedom));
    return NORMAL.survivalProbability((centred - shift) / scale);
  }

  /**
   * Runs per arm of a confirmation, if the noise is pooled over earlier repeats and its own runs.
   *
   * @param level of this arm alone, both sides
   * @param degreesOfFreedom of the noise before the confirmation
   */
  public static int confirmationRuns(
      double noise, double effect, double power, double level, int degreesOfFreedom) {
    return confirmationRuns(noise, effect, power, level, degreesOfFreedom, MOST_RUNS);
  }

  /** The same number of runs, but at most {@code most}. */
  static int confirmationRuns(
      double noise, double effect, double power, double level, int degreesOfFreedom, int most) {
    for (int runs = 2; runs < most; runs++) {
      if (power(noise, effect, runs, level, degreesOfFreedom + 2 * runs - 2) >= power) {
        return runs;
      }
    }
    return most;
  }

  /**
   * The smallest gain that one night detects and confirms in four of five cases, with {@link
   * Racing}'s defaults. It depends on how many jobs remain once every profile has run once. The
   * formula was fitted to simulated nights of 8 to 80 profiles with drift and t noise of four
   * degrees of freedom, and is within an eighth of them; a simulation of the sweep itself is more
   * exact.
   *
   * @param noise standard deviation of one run's log metric
   * @param jobs of the night, controls included
   * @return a gain as a fraction; empty if the jobs do not suffice for one run each and a
   *     confirmation
   */
  public static OptionalDouble smallestDetectableGain(
      double noise, int profiles, int jobs, int blockSize) {
    double spare = jobs - CALIBRATION_RUNS - profiles * (1 + 1.0 / blockSize);
    return spare < SMALLEST_CONFIRMATION
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.expm1(noise * Math.sqrt(145 / spare + 1.5)));
  }
}
