package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.JobTimes;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How many jobs the budget still allows, and how many of them later waves need.
 *
 * @param jobs attempts that can still be submitted and end within every limit of the budget;
 *     counted as short jobs if first looks are short
 * @param whole how many short jobs take as long as a whole one; 1 if all jobs have one length
 * @param hasWinner whether a profile is confirmed
 * @param mayConfirm whether a profile, or another one beside the winner, may still be confirmed
 * @param contenders profiles that are worth a further run
 * @param stacks that present results would lead to
 */
record Allowance(
    SweepState state,
    int jobs,
    double whole,
    boolean hasWinner,
    boolean mayConfirm,
    int contenders,
    int stacks) {
  private static final int UNLIMITED = 1_000_000;

  /** Fresh runs of each arm that the first look at a confirmation needs. */
  static final int FIRST_LOOK = 4;

  /** Jobs of the smallest confirmation. */
  static final int FEWEST_FRESH = 6;

  /** Jobs of one stack's first run: the stack and its control. */
  private static final int ONE_STACK = 2;

  /** How many short jobs take as long as a whole one, until both were timed. */
  private static final double USUAL_WHOLE = 1.5;

  /** A further run is reserved for at most this many racing profiles. */
  private static final int MOST_RACING = 3;

  /**
   * @param typicalJob the median of the jobs so far; before the first, the policy's expectation
   * @param hasWinner whether a profile is confirmed
   * @param mayConfirm whether a profile may still be confirmed, also beside a winner
   * @param contenders profiles that are worth a further run
   * @param stacks that present results would lead to
   */
  static Allowance of(
      SweepState s,
      Instant now,
      Optional<Duration> typicalJob,
      boolean hasWinner,
      boolean mayConfirm,
      int contenders,
      int stacks) {
    int byJobs = s.jobsLeft().orElse(UNLIMITED);
    Duration each = typicalJob.orElse(s.spec().policy().jobBeforeAnyWasTimed());
    int byTime =
        s.deadline()
            .map(deadline -> jobsWithin(s, Duration.between(now, deadline), now, each))
            .orElse(UNLIMITED);
    int byNodeHours =
        s.runningTimeLeft(now).map(left -> jobsWithin(s, left, now, each)).orElse(UNLIMITED);
    int timed = Math.min(byTime, byNodeHours);
    int jobs = Math.max(0, Math.min(byJobs, timed));
    double whole = timed < byJobs ? wholeJob(s, each) : 1;
    return new Allowance(s, jobs, whole, hasWinner, mayConfirm, contenders, stacks);
  }

  /** Jobs that this wave may use: all except the shares of later waves. */
  int spendableOn(Wave wave) {
    return (int) (shortJobsFor(wave) / (runsWhole(wave.kind()) ? whole : 1));
  }

  private static boolean runsWhole(Wave.Kind kind) {
    return switch (kind) {
      case CONFIRM, CROSS_CHECK, WINNER_EVIDENCE -> true;
      case PROBE, BASELINE, EVIDENCE, SCREEN, STACK, RACE, NODE_GATE -> false;
    };
  }

  private int shortJobsFor(Wave wave) {
    return switch (wave.kind()) {
      // No result can be interpreted without these waves.
      case PROBE, BASELINE, EVIDENCE, NODE_GATE -> jobs;
      case SCREEN, STACK, RACE, CROSS_CHECK, WINNER_EVIDENCE ->
          Math.max(0, jobs - sharesAfter(wave));
      // A winner without cross-checks is still worth more than no winner.
      case CONFIRM -> Math.max(jobs - sharesAfter(wave), Math.min(jobs, FEWEST_FRESH));
    };
  }

  /** Jobs that the sweep can still use, as far as is known now; at least one. */
  int needed() {
    int ahead =
        state.waves().stream()
            .filter(WaveState::isUnfinished)
            .mapToInt(w -> Math.max(share(w), w.isPending() ? fewest(w.wave()) : 0))
            .sum();
    return Math.max(1, state.open().size() + ahead);
  }

  /** Jobs of a wave that has not begun without which no result can be interpreted. */
  private static int fewest(Wave wave) {
    return switch (wave.kind()) {
      case PROBE, BASELINE, EVIDENCE, NODE_GATE -> wave.repetitions();
      case SCREEN, STACK, RACE, CONFIRM, CROSS_CHECK, WINNER_EVIDENCE -> 0;
    };
  }

  /** Jobs for first looks at candidates, without the shares of the later race and stacks. */
  int forFirstLooks(Wave wave) {
    int more =
        state.waves().stream()
            .filter(WaveState::isPending)
            .mapToInt(
                w ->
                    switch (w.wave().kind()) {
                      case RACE -> 1 + MOST_RACING;
                      case STACK -> ONE_STACK;
                      case PROBE,
                          BASELINE,
                          EVIDENCE,
                          SCREEN,
                          CONFIRM,
                          CROSS_CHECK,
                          WINNER_EVIDENCE,
                          NODE_GATE ->
                          0;
                    })
            .sum();
    return Math.max(0, spendableOn(wave) - more);
  }

  /**
   * Jobs for a planned trial. A race or a stack runs whole or not at all, so it may use all jobs
   * except those of the smallest confirmation.
   */
  int spendableOnPlanned(Wave wave) {
    boolean whole = wave.kind() == Wave.Kind.RACE || wave.kind() == Wave.Kind.STACK;
    return whole ? Math.max(spendableOn(wave), jobs - FEWEST_FRESH) : spendableOn(wave);
  }

  /** Jobs for candidates that were kept back: all jobs that the winner does not need. */
  int spendableInTheEnd(Wave wave) {
    return hasWinner ? spendableOn(wave) - 2 * FIRST_LOOK : jobs;
  }

  private int sharesAfter(Wave wave) {
    String family = Mechanisms.family(wave.name());
    boolean after = false;
    int shares = 0;
    for (WaveState w : state.waves()) {
      if (w.wave().name().equals(wave.name())) {
        after = true;
      } else if (w.isUnfinished()
          && !Mechanisms.family(w.wave().name()).equals(family)
          && (after || (isStanding(w.wave().kind()) && !isStanding(wave.kind())))) {
        shares += runsWhole(w.wave().kind()) ? (int) Math.ceil(share(w) * whole) : share(w);
      }
    }
    return shares;
  }

  /**
   * Whether waves of this kind wait until a profile deserves them, as confirmation and cross-check
   * do.
   */
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
      case STACK -> !w.isPending() ? 0 : stacks > 0 ? stacks + 1 : contenders > 1 ? ONE_STACK : 0;
      case CONFIRM -> !mayConfirm ? 0 : 2 * FIRST_LOOK;
      case CROSS_CHECK -> hasWinner || mayConfirm ? CrossChecks.jobs(state, wave, toCheck()) : 0;
      case RACE -> !hasWinner && contenders > 0 ? 1 + Math.min(contenders, MOST_RACING) : 0;
      case WINNER_EVIDENCE -> w.isPending() && (hasWinner || mayConfirm) ? 1 : 0;
      // Nodes are checked at dawn only if a job is left over.
      case PROBE, BASELINE, EVIDENCE, NODE_GATE -> 0;
    };
  }

  /**
   * How many profiles still have to run on other config tags: the winner or a future winner and,
   * once it is confirmed, the contender behind it. Jobs are not reserved for the contender from the
   * start, because that would cost the search more nights than the check saves.
   */
  private int toCheck() {
    int wanted = hasWinner && contenders > 1 ? 2 : 1;
    return Math.max(0, wanted - CrossChecks.checked(state).size());
  }

  /** Jobs for this many candidates and their controls. */
  private int screen(long profiles) {
    return (int) profiles + Math.ceilDiv((int) profiles, state.spec().policy().blockSize());
  }

  /**
   * The median time from start to end of the jobs so far, of the short jobs if first looks are
   * short; empty before the first job has ended.
   */
  static Optional<Duration> typicalJob(SweepState s) {
    return JobTimes.measured(s, s.spec().screeningSteps().isPresent()).median();
  }

  /** How many short jobs take as long as a whole one. */
  private static double wholeJob(SweepState s, Duration each) {
    if (s.spec().screeningSteps().isEmpty()) {
      return 1;
    }
    return JobTimes.measured(s, false)
        .median()
        .map(whole -> Math.max(1, (double) whole.toMillis() / Math.max(1, each.toMillis())))
        .orElse(USUAL_WHOLE);
  }

  private static int jobsWithin(SweepState s, Duration left, Instant now, Duration each) {
    long underWay = s.inFlight().stream().mapToLong(a -> left(a, now, each)).sum();
    long free = left.toMillis() - underWay;
    return (int) Math.min(UNLIMITED, Math.max(0, free / Math.max(1, each.toMillis())));
  }

  /** The estimated time that a job in flight still takes. */
  private static long left(AttemptState a, Instant now, Duration each) {
    long ran = a.startedAt().map(start -> Duration.between(start, now).toMillis()).orElse(0L);
    return Math.max(0, each.toMillis() - Math.max(0, ran));
  }
}
