package io.nightsweep.sim;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Durations on the simulated cluster.
 *
 * @param job a whole job
 * @param spread the largest deviation of a job's duration, as a fraction
 * @param queueDelay mean of an exponential wait before a job starts on free nodes
 */
public record Timing(Duration job, double spread, Duration queueDelay) {
  private static final double USUAL_SPREAD = 0.1;

  public Timing {
    if (job.isNegative() || job.isZero() || !(spread >= 0 && spread < 1)) {
      throw new IllegalArgumentException(
          "expected a job of some time and a spread within [0, 1), found "
              + job
              + " and "
              + spread);
    }
  }

  public static Timing of(Duration job) {
    return new Timing(job, USUAL_SPREAD, Duration.ZERO);
  }

  /** The duration of one whole job. */
  public Duration draw(RandomGenerator random) {
    double factor = 1 - spread + 2 * spread * random.nextDouble();
    return Duration.ofMillis((long) (job.toMillis() * factor));
  }
}
