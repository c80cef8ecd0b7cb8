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
 * Spends runs where they decide. Screening and replication only choose what to confirm. Only the
 * fresh confirmation runs control the error, so any rule may choose, and may look as often as it
 * likes, without harming validity.
 *
 * <p>Every profile runs once, with the best so far beside each block of new ones. Then the most
 * promising block runs again and again, until its leader convinces, or until only the jobs for its
 * confirmation are left. The result depends only on the arguments; the one random thing in a night
 * is the order inside its blocks, see {@link BlockOrder}.
 */
public final class Racing {

  /** A profile leaves the race below this promise, provided that {@link #SURE_DROP} agrees. */
  private static final double DROP_BELOW = 0.01;

  /**
   * A profile is dropped only if its estimate plus this many standard errors is below a worthwhile
   * gain.
   */
  private static final double SURE_DROP = 1.5;

  /**
   * Degrees of freedom of the noise: with two, the estimate is below a fifth of the true noise in
   * one night of 25; with four, in one of 300.
   */
  private static final int FEWEST_DEGREES_OF_FREEDOM = 4;

  /**
   * From this promise on, the leader is confirmed instead of replicated: fresh runs inform as well
   * as replicates do, and also count for the verdict.
   */
  private static final double CONFIRM_FROM = 0.6;

  /** From this promise on, a profile counts as one that gains. */
  private static final double CONVINCING = 0.8;

  /** If no runs are left for replication, a leader with at least this promise is confirmed. */
  private static final double LAST_CHANCE = 0.05;

  /**
   * Below this promise a profile gets no more runs. Of a thousand nights with one profile of +2 %
   * among forty, 93 % find it; with 0.05 instead, 73 % do.
   */
  private static final double LEAST_PROMISE = 0.01;

  /** A confirmation that has made half of its runs is abandoned below this promise. */
  private static final double GIVE_UP_BELOW = 0.02;

  /**
   * The most contenders in a block of the race: the fewer there are, the sooner the results are
   * used.
   */
  private static final int RACE_BLOCK = 3;

  /**
   * While profiles wait for their first run, one in this many places of a block goes to a
   * contender.
   */
  private static final int PLACES_PER_CONTENDER = 4;

  /**
   * Factor on a leader's estimate for planning: as the highest of many estimates, it is probably
   * too high.
   */
  private static final double CAUTION = 0.85;

  private static final int FEWEST_FRESH_RUNS = 3;

  /** Looks at fewer runs overstate the gain: in small samples only the luckiest win. */
  private static final int FIRST_LOOK = 4;

  private static final int BETWEEN_LOOKS = 2;

  /** Standard errors from which a gain is pursued whatever the prior says (decision 0072). */
  private static final double STANDS_OUT = 3;

  /** Promise from which a confirmation that has begun is continued. */
  private static final double GO_ON_FROM = 0.05;

  private Racing() {}

  /**
   * What to do next.
   *
   * @param gone profiles that left the sweep for any reason; they never run again
   * @param isWorthARun whether another run of a profile is worth its job; a leader whose promise
   *     another run cannot settle is confirmed
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

  /** Whether the profile's confirmation is the latest, and its next look may decide. */
  private static boolean isUnderWay(Standing standing, Leaderboard board) {
    return !board.confirmations().isEmpty()
        && board.confirmations().getLast().profile().equals(standing.profile())
        && standing.promise() >= GO_ON_FROM;
  }

  /**
   * Whether another run of the profile is worth its job while other profiles compete for the job.
   */
  public static boolean isPromising(Standing standing) {
    return (standing.promise() >= LAST_CHANCE || standsOut(standing)) && !isSettled(standing);
  }

  /**
   * Whether the gain stands out from the noise. If the noise is far larger than usual gains, the
   * promise alone would dismiss even such a gain as noise.
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
   * @return empty where they need more jobs than are left, or where no further plan is allowed
   */
  public static Optional<ConfirmationPlan> confirmation(
      Standing standing, Leaderboard board, int jobsLeft) {
    return Optional.of(plan(standing, board, jobsLeft))
        .filter(plan -> plan.jobs() <= jobsLeft && !isSettled(standing));
  }

  /**
   * Profiles that need no further run. While too few repeats have measured the noise, no profile is
   * dropped: three runs that agree by chance would condemn profiles that only noise slowed down.
   */
  public static List<Drop> drops(Leaderboard board) {
    boolean isNoiseKnown = board.noise().degreesOfFreedom() >= FEWEST_DEGREES_OF_FREEDOM;
    return lost(board).stream()
        .filter(drop -> isNoiseKnown || drop.why() instanceof Cause.OtherResult)
        .toList();
  }

  /** Profiles that need no further run, if the noise estimate is right. */
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

  /** A leader needs two runs; for a stack, the results of its parts count as one of them. */
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

  /** The profile with a confirmation under way, unless its chances have vanished. */
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

  /** Whether no further run can change the profile's verdict. */
  private static boolean isSettled(Standing standing) {
    return standing.verdict() instanceof Verdict.Win
        || standing.confirmation().filter(c -> !c.extensible()).isPresent();
  }

  /**
   * The runs up to the next look. The first look comes early, since most winners are clear by then;
   * it comes even earlier where a large gain is almost sure to be seen.
   */
  private static ConfirmationPlan plan(Standing leader, Leaderboard board, int jobsLeft) {
    int runs =
        leader
            .confirmation()
            .map(c -> Math.min(Math.min(BETWEEN_LOOKS, jobsLeft / 2), c.most() - c.planned()))
            .orElseGet(() -> Math.min(FIRST_LOOK, wholeConfirmation(leader, board, jobsLeft)));
    return new ConfirmationPlan(leader.profile(), Math.max(1, runs));
  }

  /** Runs per arm that a single look at all of them would need. */
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
