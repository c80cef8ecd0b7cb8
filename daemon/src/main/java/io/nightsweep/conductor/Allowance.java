package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the budget still allows, and how much of it waves ahead have a claim to.
 *
 * @param jobs attempts that can still be submitted and end within each of the budget's limits
 * @param hasWinner whether a profile is confirmed
 * @param mayConfirm whether one may come to be, or another one beside it
 * @param leaders profiles that gain more likely than not
 * @param stacks that would be made by what is known now
 */
record Allowance(
    SweepState state, int jobs, boolean hasWinner, boolean mayConfirm, int leaders, int stacks) {
  private static final int UNLIMITED = 1_000_000;

  /** Of each arm, for the first look at fresh runs. */
  private static final int FIRST_LOOK = 4;

  /** The two best once more, and a control beside them. */
  private static final int ONE_REPLICATE_EACH = 3;

  /**
   * @param typicalJob the median of the jobs so far; before the first, the policy's expectation
   * @param hasWinner whether a profile is confirmed
   * @param mayConfirm whether a profile may still come to be confirmed, beside a winner too
   * @param leaders profiles that gain more likely than not
   * @param stacks that would be made by what is known now
   */
  static Allowance of(
      SweepState s,
      Instant now,
      Optional<Duration> typicalJob,
      boolean hasWinner,
      boolean mayConfirm,
      int leaders,
      int stacks) {
    int byJobs = s.jobsLeft().orElse(UNLIMITED);
    Duration each = typicalJob.orElse(s.spec().policy().jobBeforeAnyWasTimed());
    int byTime =
        s.deadline()
            .map(deadline -> jobsWithin(s, Duration.between(now, deadline), now, each))
            .orElse(UNLIMITED);
    int byNodeHours =
        s.runningTimeLeft(now).map(left -> jobsWithin(s, left, now, each)).orElse(UNLIMITED);
    int jobs = Math.max(0, Math.min(byJobs, Math.min(byTime, byNodeHours)));
    return new Allowance(s, jobs, hasWinner, mayConfirm, leaders, stacks);
  }

  /** Jobs that may be spent on this wave: all but the shares of the waves that come after it. */
  int spendableOn(Wave wave) {
    return switch (wave.kind()) {
      // No result can be interpreted without these waves.
      case PROBE, BASELINE, EVIDENCE, NODE_GATE -> jobs;
      case SCREEN, STACK, RACE, CONFIRM, CROSS_CHECK, WINNER_EVIDENCE ->
          Math.max(0, jobs - sharesAfter(wave));
    };
  }

  private int sharesAfter(Wave wave) {
    String family = Mechanisms.family(wave.name());
    boolean after = false;
    int shares = 0;
    for (WaveState w : state.waves()) {
      if (w.wave().name().equals(wave.name())) {
        after = true;
      } else if ((w.isPending() || w.isOpen())
          && !Mechanisms.family(w.wave().name()).equals(family)
          && (after || (isStanding(w.wave().kind()) && !isStanding(wave.kind())))) {
        shares += share(w);
      }
    }
    return shares;
  }

  /** Confirmation and cross-check wait, open or not, for a profile that deserves them. */
  static boolean isStanding(Wave.Kind kind) {
    return kind == Wave.Kind.CONFIRM || kind == Wave.Kind.CROSS_CHECK;
  }

  private int share(WaveState w) {
    Wave wave = w.wave();
    return switch (wave.kind()) {
      case SCREEN ->
          w.isPending()
              ? screen(wave.profiles().stream().filter(p -> !state.isDropped(p)).count())
              : 0;
      case STACK -> w.isPending() && stacks > 0 ? stacks + 1 : 0;
      case CONFIRM -> !mayConfirm ? 0 : 2 * FIRST_LOOK;
      case CROSS_CHECK ->
          w.isPending() && (hasWinner || mayConfirm) ? CrossChecks.jobs(state, wave, 1) : 0;
      case RACE -> w.isPending() && !hasWinner && leaders > 1 ? ONE_REPLICATE_EACH : 0;
      // The winner is profiled, and nodes are checked at dawn, only where a job is left over.
      case PROBE, BASELINE, EVIDENCE, WINNER_EVIDENCE, NODE_GATE -> 0;
    };
  }

  /** So many candidates and their controls. */
  private int screen(long profiles) {
    return (int) profiles + Math.ceilDiv((int) profiles, state.spec().policy().blockSize());
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

  private static int jobsWithin(SweepState s, Duration left, Instant now, Duration each) {
    long underWay = s.inFlight().stream().mapToLong(a -> left(a, now, each)).sum();
    long free = left.toMillis() - underWay;
    return (int) Math.min(UNLIMITED, Math.max(0, free / Math.max(1, each.toMillis())));
  }

  /** What a job in flight still takes, as far as is known. */
  private static long left(AttemptState a, Instant now, Duration each) {
    long ran = a.startedAt().map(start -> Duration.between(start, now).toMillis()).orElse(0L);
    return Math.max(0, each.toMillis() - Math.max(0, ran));
  }
}
