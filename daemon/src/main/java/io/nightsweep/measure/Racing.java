package io.nightsweep.measure;

import io.nightsweep.measure.RacingAdvice.AwaitConfirmation;
import io.nightsweep.measure.RacingAdvice.Conclude;
import io.nightsweep.measure.RacingAdvice.Confirm;
import io.nightsweep.measure.RacingAdvice.Drop;
import io.nightsweep.measure.RacingAdvice.Move;
import io.nightsweep.measure.RacingAdvice.Replicate;
import io.nightsweep.measure.RacingAdvice.Screen;
import io.nightsweep.sweep.Cause;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Spends runs where they decide. Screening and replication only choose what is worth confirming;
 * error is controlled by the fresh confirmation runs alone, so that the choice may be made by any
 * rule, looked at as often as one likes, without costing validity.
 *
 * <p>Every profile runs once, with the best so far beside each block of new ones. Then the most
 * promising block runs again, and again, until its leader convinces, or until no more jobs are left
 * than its confirmation takes. All is a function of the arguments; what is random about a night is
 * the order inside its blocks, see {@link BlockOrder}.
 */
public final class Racing {

  /** A profile leaves the race below this promise, and not before {@link #SURE_DROP} agrees. */
  private static final double DROP_BELOW = 0.01;

  /** How many standard errors above the estimate must still fall short of a worthwhile gain. */
  private static final double SURE_DROP = 1.5;

  /**
   * Of the noise: with two, one night in 25 shows less than a fifth of it, with four one in 300.
   */
  private static final int FEWEST_DEGREES_OF_FREEDOM = 4;

  /**
   * From this promise on the leader is confirmed rather than replicated: fresh runs teach as much
   * of it as replicates do, and count.
   */
  private static final double CONFIRM_FROM = 0.6;

  /** From this promise on a profile counts as one that gains. */
  private static final double CONVINCING = 0.8;

  /** Where no runs are left to replicate with, a leader with at least this promise is confirmed. */
  private static final double LAST_CHANCE = 0.05;

  /**
   * Below this promise no further run is spent on a profile. Of a thousand nights with one +2 %
   * among forty, 93 % find it; from 0.05 on 73 % do.
   */
  private static final double LEAST_PROMISE = 0.01;

  /** A running confirmation that has made half of its runs is given up below this promise. */
  private static final double GIVE_UP_BELOW = 0.02;

  /** The most contenders in a block of the race: the fewer, the sooner its results are used. */
  private static final int RACE_BLOCK = 3;

  /**
   * While profiles wait for their first run, a block has one place for a contender among this many
   * places.
   */
  private static final int PLACES_PER_CONTENDER = 4;

  /** A leader's estimate is the highest of many: the plan counts on less. */
  private static final double CAUTION = 0.85;

  private static final int FEWEST_FRESH_RUNS = 3;

  /** With fewer runs a look flatters: of small samples only the luckiest win. */
  private static final int FIRST_LOOK = 4;

  private static final int BETWEEN_LOOKS = 2;

  /** Standard errors from which on a gain is followed whatever was expected (decision 0072). */
  private static final double STANDS_OUT = 3;

  /** A confirmation that has begun goes on from this promise on. */
  private static final double GO_ON_FROM = 0.05;

  private Racing() {}

  /**
   * What to do next.
   *
   * @param gone profiles that left the sweep, for whatever reason: none of them runs again
   * @param isWorthARun whether a further run of a profile is worth its job; a leader whose promise
   *     no such run can settle is confirmed
   * @param waiting profiles that have not run yet
   * @param jobsLeft jobs that the night still allows, controls included
   */
  public static RacingAdvice advise(
      Leaderboard board,
      Set<String> gone,
      Predicate<Standing> isWorthARun,
      int waiting,
      int jobsLeft) {
    List<Drop> drops = drops(board);
    Optional<String> open = open(board).filter(profile -> !gone.contains(profile));
    if (open.isPresent()) {
      return new RacingAdvice(drops, new AwaitConfirmation(open.get()));
    }
    Set<String> dropped = drops.stream().map(Drop::profile).collect(Collectors.toSet());
    List<Standing> contenders =
        board.standings().stream()
            .filter(standing -> !dropped.contains(standing.profile()) && !isSettled(standing))
            .filter(standing -> !gone.contains(standing.profile()))
            .toList();
    return new RacingAdvice(
        drops,
        contenders.stream()
            .filter(standing -> isUnderWay(standing, board))
            .map(standing -> plan(standing, board, jobsLeft))
            .filter(plan -> plan.jobs() <= jobsLeft)
            .<Move>map(Confirm::new)
            .findFirst()
            .orElseGet(() -> move(contenders, isWorthARun, board, waiting, jobsLeft)));
  }

  /** Whether the profile was confirmed last, and its next look may decide. */
  private static boolean isUnderWay(Standing standing, Leaderboard board) {
    return !board.confirmations().isEmpty()
        && board.confirmations().getLast().profile().equals(standing.profile())
        && standing.promise() >= GO_ON_FROM;
  }

  /** Whether a further run of the profile is worth its job while others compete for that job. */
  public static boolean isPromising(Standing standing) {
    return (standing.promise() >= LAST_CHANCE || standsOut(standing)) && !isSettled(standing);
  }

  /**
   * Whether what the runs show is beyond the noise, however large: where the noise is far larger
   * than what is usually gained, the promise takes even such a gain for noise.
   */
  private static boolean standsOut(Standing standing) {
    Estimate estimate = standing.estimate();
    return estimate.logGain() > STANDS_OUT * estimate.standardError();
  }

  /** Whether the profile may gain, as far as is known. */
  public static boolean mayGain(Standing standing) {
    return (standing.promise() >= LEAST_PROMISE || standsOut(standing)) && !isSettled(standing);
  }

  /** Whether the profile very likely gains. */
  public static boolean isConvincing(Standing standing) {
    return standing.promise() >= CONVINCING;
  }

  /**
   * Fresh runs of one profile, as the race would plan them.
   *
   * @return empty where they are more jobs than are left, or no further plan is allowed
   */
  public static Optional<ConfirmationPlan> confirmation(
      Standing standing, Leaderboard board, int jobsLeft) {
    return Optional.of(plan(standing, board, jobsLeft))
        .filter(plan -> plan.jobs() <= jobsLeft && !isSettled(standing));
  }

  /**
   * Profiles that need no further run. None has lost for good while few repeats have shown how much
   * runs differ: three runs that agree by chance would rule out what the noise alone slowed.
   */
  public static List<Drop> drops(Leaderboard board) {
    boolean isNoiseKnown = board.noise().degreesOfFreedom() >= FEWEST_DEGREES_OF_FREEDOM;
    return lost(board).stream()
        .filter(drop -> isNoiseKnown || drop.why() instanceof Cause.OtherResult)
        .toList();
  }

  /** Profiles that need no further run where the noise is as large as it looks. */
  public static List<Drop> lost(Leaderboard board) {
    return board.standings().stream()
        .flatMap(
            standing ->
                causeToDrop(standing, board.policy())
                    .map(why -> new Drop(standing.profile(), why))
                    .stream())
        .toList();
  }

  private static Move move(
      List<Standing> contenders,
      Predicate<Standing> isWorthARun,
      Leaderboard board,
      int waiting,
      int jobsLeft) {
    RacingPolicy policy = board.policy();
    if (contenders.isEmpty()) {
      return waiting > 0 ? new Screen(List.of()) : new Conclude("no profile is left that may gain");
    }
    Standing leader = contenders.getFirst();
    ConfirmationPlan plan = plan(leader, board, jobsLeft);
    boolean affordable = plan.jobs() <= jobsLeft;
    List<String> replicable =
        contenders.stream()
            .filter(isWorthARun)
            .filter(standing -> standing.estimate().runs() < policy.maxRunsPerProfile())
            .limit(waiting > 0 ? beside(policy) : RACE_BLOCK)
            .map(Standing::profile)
            .toList();
    int block = (waiting > 0 ? policy.blockSize() : replicable.size()) + 1;
    boolean lastChance = jobsLeft < plan.jobs() + block;
    boolean convincing = hasRunTwice(leader) && leader.promise() >= CONFIRM_FROM;
    boolean due = lastChance || (waiting == 0 && (convincing || replicable.isEmpty()));
    if (affordable && due && isPromising(leader)) {
      return new Confirm(plan);
    }
    if (waiting > 0 && jobsLeft > 1) {
      return new Screen(replicable);
    }
    return lastChance || replicable.isEmpty()
        ? new Conclude("the jobs left do not carry a confirmation")
        : new Replicate(replicable);
  }

  /** A leader needs two runs; for a stack, what its parts have shown counts as one of them. */
  private static boolean hasRunTwice(Standing leader) {
    return leader.estimate().runs() >= 2 || leader.expectedLogGain() > 0;
  }

  private static int beside(RacingPolicy policy) {
    return Math.max(1, policy.blockSize() / PLACES_PER_CONTENDER);
  }

  private static Optional<Cause> causeToDrop(Standing standing, RacingPolicy policy) {
    if (standing.verdict() instanceof Verdict.Unsafe unsafe) {
      return Optional.of(unsafe.why());
    }
    if (standing.verdict() instanceof Verdict.Win) {
      return Optional.empty();
    }
    Estimate estimate = standing.estimate();
    double most = estimate.logGain() + SURE_DROP * estimate.standardError();
    if (standing.promise() < DROP_BELOW && most < policy.worthwhileLogGain()) {
      return Optional.of(
          new Cause.RacedOut(
              Interval.percent(estimate.logGain()),
              estimate.runs(),
              100 * policy.worthwhileGain(),
              100 * standing.probabilityWorthwhile()));
    }
    return Optional.empty();
  }

  /** The profile whose confirmation is under way, unless it has become hopeless. */
  private static Optional<String> open(Leaderboard board) {
    if (board.confirmations().isEmpty()) {
      return Optional.empty();
    }
    Confirmation last = board.confirmations().getLast();
    boolean hopeless =
        2 * last.runs() >= last.planned()
            && board
                .of(last.profile())
                .filter(standing -> standing.promise() >= GIVE_UP_BELOW)
                .isEmpty();
    return last.complete() || hopeless ? Optional.empty() : Optional.of(last.profile());
  }

  /** Whether no further run of the profile may change its verdict. */
  private static boolean isSettled(Standing standing) {
    return standing.verdict() instanceof Verdict.Win
        || standing.confirmation().filter(c -> !c.extensible()).isPresent();
  }

  /**
   * The runs up to the next look. The first look comes early, since most winners are clear by then;
   * it is earlier still only where a large gain is almost sure to be seen.
   */
  private static ConfirmationPlan plan(Standing leader, Leaderboard board, int jobsLeft) {
    int runs =
        leader
            .confirmation()
            .map(c -> Math.min(Math.min(BETWEEN_LOOKS, jobsLeft / 2), c.most() - c.planned()))
            .orElseGet(() -> Math.min(FIRST_LOOK, wholeConfirmation(leader, board, jobsLeft)));
    return new ConfirmationPlan(leader.profile(), Math.max(1, runs));
  }

  /** Runs per arm that one look at all of them would need. */
  private static int wholeConfirmation(Standing leader, Leaderboard board, int jobsLeft) {
    RacingPolicy policy = board.policy();
    double effect = Math.max(policy.worthwhileLogGain(), CAUTION * leader.posteriorLogGain());
    int most = Math.max(FEWEST_FRESH_RUNS, Math.min(policy.maxConfirmationRuns(), jobsLeft / 2));
    int runs =
        Power.confirmationRuns(
            board.noise().planning(policy.expectedNoise()),
            effect,
            policy.confirmationPower(),
            Confirmation.nextLevel(board.confirmations(), policy.confirmationError()),
            Math.max(2, board.noise().degreesOfFreedom()),
            most);
    return Math.clamp(runs, FEWEST_FRESH_RUNS, most);
  }
}
