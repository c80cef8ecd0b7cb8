package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the budget still allows.
 *
 * @param jobs attempts that can still be submitted and end before the deadline
 * @param reserved of these, those kept for waves that must not be starved: confirmation
 */
record Allowance(int jobs, int reserved) {
  private static final int UNLIMITED = 1_000_000;

  static Allowance of(SweepState s, Instant now, Optional<Duration> typicalJob) {
    int byJobs = s.jobsLeft().orElse(UNLIMITED);
    int byTime =
        s.deadline().map(deadline -> jobsUntil(s, deadline, now, typicalJob)).orElse(UNLIMITED);
    return new Allowance(Math.max(0, Math.min(byJobs, byTime)), reserve(s));
  }

  /** Jobs that may be spent on a wave of this kind. */
  int spendableOn(Wave.Kind kind) {
    boolean mayTouchReserve = kind == Wave.Kind.CONFIRM || kind == Wave.Kind.BASELINE;
    return mayTouchReserve ? jobs : Math.max(0, jobs - reserved);
  }

  /** The median time from start to end of the jobs so far; before the first, nothing is known. */
  static Optional<Duration> typicalJob(SweepState s) {
    List<Duration> elapsed =
        s.attempts()
            .filter(a -> a.measurement().isPresent())
            .flatMap(a -> elapsed(a).stream())
            .sorted()
            .toList();
    return elapsed.isEmpty() ? Optional.empty() : Optional.of(elapsed.get(elapsed.size() / 2));
  }

  private static Optional<Duration> elapsed(AttemptState a) {
    return a.end()
        .flatMap(end -> a.startedAt().map(start -> Duration.between(start, end.endedAt())));
  }

  private static int jobsUntil(
      SweepState s, Instant deadline, Instant now, Optional<Duration> typicalJob) {
    if (!now.isBefore(deadline)) {
      return 0;
    }
    Duration each = typicalJob.orElse(s.spec().policy().jobTimeLimit());
    long left = Duration.between(now, deadline).toMillis();
    long queued = s.inFlight().size() * each.toMillis();
    return (int) Math.min(UNLIMITED, Math.max(0, (left - queued) / Math.max(1, each.toMillis())));
  }

  private static int reserve(SweepState s) {
    boolean confirmAhead =
        s.waves().stream().anyMatch(w -> w.wave().kind() == Wave.Kind.CONFIRM && w.isPending());
    // Half of the most that one confirmation may take, on each of its two arms.
    return confirmAhead ? s.spec().policy().confirmRuns() : 0;
  }
}
