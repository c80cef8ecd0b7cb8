package io.nightsweep.triage;

import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How long a running job's next step should take: estimated from its steps so far or, if there are
 * too few, from the sweep's baselines, or from its slowest step if that took longer.
 *
 * @param seconds above 0
 * @param ofThisRun whether the estimate comes from the job's own steps
 */
record Projection(double seconds, boolean ofThisRun) {
  private static final double MOST_SECONDS = 1e9;

  /** A step is overdue only after this multiple of its expected duration. */
  private static final double LEAST_STEPS = 2;

  /** A shorter silence is reported in seconds. */
  private static final Duration IN_SECONDS = Duration.ofMinutes(5);

  /**
   * Empty before the first step, which includes compilation, and after the last step, which the
   * job's end follows.
   *
   * @param step the last step seen, -1 if there was none
   * @param stepsTotal 0 if unknown
   */
  static Optional<Projection> of(StepPace own, OptionalDouble baseline, int step, int stepsTotal) {
    boolean isNext = step >= 0 && (stepsTotal <= 0 || step < stepsTotal - 1);
    if (!isNext || (own.seconds().isEmpty() && baseline.isEmpty())) {
      return Optional.empty();
    }
    double seconds =
        own.seconds().orElseGet(() -> Math.max(baseline.orElse(0), own.slowestSeconds()));
    return Optional.of(
        new Projection(seconds, own.seconds().isPresent() || seconds > baseline.orElse(0)));
  }

  /**
   * How long a silence must last before it counts, with or without a projection of the next step.
   */
  static Duration limit(Clue.Silence silence, Optional<Projection> next) {
    return silence
        .overdue()
        .flatMap(overdue -> next.map(n -> n.limit(overdue, silence.atLeast())))
        .orElse(silence.atLeast());
  }

  static Statement words(Duration since, Clue.Silence silence, Optional<Projection> next) {
    Optional<Projection> overdue = silence.overdue().flatMap(o -> next);
    if (since.compareTo(LogTriage.FOR_EVER) >= 0) {
      return Statement.phrase("no-newer-step");
    }
    boolean isShort = since.compareTo(IN_SECONDS) < 0;
    long time = isShort ? since.toSeconds() : since.toMinutes();
    return overdue
        .map(o -> o.words(Statement.phrase(isShort ? "for-seconds" : "for-minutes", time)))
        .orElseGet(() -> Statement.phrase(isShort ? "no-new-step-seconds" : "no-new-step", time));
  }

  /** At most the plain limit, unless two steps take longer than it. */
  private Duration limit(Clue.Overdue overdue, Duration plain) {
    double latest = Math.max(plain.toMillis() / 1000.0, LEAST_STEPS * seconds);
    double wait = Math.min(Math.min(seconds * overdue.times(), latest), MOST_SECONDS);
    Duration projected = Duration.ofMillis(Math.round(wait * 1000));
    return projected.compareTo(overdue.floor()) > 0 ? projected : overdue.floor();
  }

  private Statement words(Statement silence) {
    return Statement.phrase(
        ofThisRun ? "where-one-took-own" : "where-one-took",
        silence,
        String.format(Locale.ROOT, "%.3g", seconds));
  }
}
