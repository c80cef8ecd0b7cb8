package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The true effects of profiles on the simulated cluster, and the disturbances of the night. All
 * effects are natural logarithms of factors on the metric.
 */
public interface Surface {
  /** The true effect of a profile over the baseline on one config tag. */
  double effect(Profile profile, String configTag);

  /** The baseline's metric on a quiet cluster. */
  double baseline(String configTag);

  /** The drift of the whole cluster at a moment of the night. */
  double drift(double hours);

  /** The noise of one run. */
  double noise(SplittableRandom random);

  /**
   * One run as disturbances see it.
   *
   * @param hours since the night began
   * @param before name of the profile whose job used the nodes last; empty for the first job
   */
  record SurfaceRun(Profile profile, double hours, Optional<String> before) {}

  /** Disturbances of the run in addition to noise and drift. */
  default double disturbance(SurfaceRun run, SplittableRandom random) {
    return 0;
  }

  /** The profile's compiled program; empty where no job leaves its text. */
  default Optional<String> program(Profile profile) {
    return Optional.empty();
  }

  /** How every job of the profile fails; empty where it runs. */
  default Optional<Response.Fails> failure(Profile profile, String configTag) {
    return Optional.empty();
  }

  /**
   * The losses that a run on real data prints; empty where it prints none.
   *
   * @param count steps of the run
   */
  default double[] losses(Profile profile, int count) {
    return new double[0];
  }

  /**
   * Deviations of the steps from their run's mean; empty where the workload prints no steps.
   *
   * @param count steps of the run
   */
  default double[] steps(SplittableRandom random, int count) {
    return new double[0];
  }
}
