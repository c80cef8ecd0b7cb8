package io.nightsweep.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next tick: a short time while the cluster answers fast, longer as its
 * latency grows and while ticks end with errors, and jittered, so that many daemons do not query in
 * step. After a first error, the next tick follows after the shortest interval: a second error
 * halts the sweep, and people should know within a minute.
 */
final class TickInterval {
  private static final double SMOOTHING = 0.3;

  /** The most time, as a fraction, for which this daemon keeps a shared queue busy. */
  private static final double DUTY = 0.05;

  private static final double JITTER = 0.1;
  private static final Duration LONGEST_AFTER_ERRORS = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 20;

  private final LookPace pace;
  private final RandomGenerator random;
  private double latencyMillis;

  TickInterval(LookPace pace, RandomGenerator random) {
    this.pace = pace;
    this.random = random;
  }

  /**
   * @param errorsInARow ticks up to this one that ended with an error of the daemon
   */
  Duration after(Duration latency, int errorsInARow) {
    // A slower answer asks for no longer wait. If it counted in full, one stalled answer would keep
    // the waits long for many fast answers.
    double counted = Math.min((double) latency.toMillis(), pace.longest().toMillis() * DUTY);
    latencyMillis += SMOOTHING * (counted - latencyMillis);
    double jitter = 1 - JITTER + 2 * JITTER * random.nextDouble();
    if (errorsInARow == 1) {
      return Duration.ofMillis((long) (pace.shortest().toMillis() * jitter));
    }
    double millis =
        Math.clamp(
                latencyMillis / DUTY,
                (double) pace.shortest().toMillis(),
                (double) pace.longest().toMillis())
            * jitter;
    return Duration.ofMillis(
        (long)
            Math.min(
                Math.scalb(millis, Math.min(errorsInARow, MOST_DOUBLINGS)),
                Math.max(millis, (double) LONGEST_AFTER_ERRORS.toMillis())));
  }
}
