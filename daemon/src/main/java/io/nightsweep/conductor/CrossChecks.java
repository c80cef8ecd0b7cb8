package io.nightsweep.conductor;

import io.nightsweep.measure.Estimate;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Noise;
import io.nightsweep.measure.Racing;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Runs the winner and the contender behind it on the config tags on which they were not chosen. An
 * interval decides for each tag: "holds" if the loss is certainly within the policy's limit,
 * "regresses" if it is certainly beyond the limit, and otherwise "not known".
 */
public final class CrossChecks {
  /**
   * The chance that the statement about one tag is wrong on either side, over all looks together.
   */
  private static final double LEVEL = 0.05;

  /**
   * The number of looks: the first pass, a second run and one extension. Each follows only if the
   * earlier looks are not decisive.
   */
  private static final int LOOKS = 3;

  /**
   * A single run may be a straggler: it can show that a profile holds, but not that it regresses.
   */
  private static final int SECOND_LOOK = 2;

  private CrossChecks() {}

  /** What the runs on a config tag show about a profile. */
  public enum Holding {
    HOLDS,
    REGRESSES,
    NOT_KNOWN
  }

  /**
   * The result of a profile on one config tag. On the first tag, where it was confirmed, it holds.
   *
   * @param profile by name
   */
  public static Holding holding(SweepState s, String profile, ConfigTag tag) {
    if (tag.equals(s.spec().primaryTag())) {
      return Holding.HOLDS;
    }
    Interval interval = interval(s, profile, tag);
    double limit = Math.log1p(-s.spec().policy().regressionLimit());
    if (interval.low() > limit) {
      return Holding.HOLDS;
    }
    return interval.high() < limit && runs(s, profile, tag).count() >= SECOND_LOOK
        ? Holding.REGRESSES
        : Holding.NOT_KNOWN;
  }

  /**
   * The interval of the profile's gain on the tag. Its width comes from the noise of all tags
   * together: the same nodes measure all of them, and one tag has too few repeats to estimate its
   * own noise.
   */
  public static Interval interval(SweepState s, String profile, ConfigTag tag) {
    return Standings.board(s, tag.name())
        .of(profile)
        .map(st -> interval(s, st.estimate(), Standings.board(s, tag.name()).noise()))
        .orElse(Interval.UNKNOWN);
  }

  private static Interval interval(SweepState s, Estimate estimate, Noise ofTag) {
    Noise ofFirst = Standings.board(s).noise();
    int degreesOfFreedom = ofTag.degreesOfFreedom() + ofFirst.degreesOfFreedom();
    if (degreesOfFreedom < 1) {
      return Interval.UNKNOWN;
    }
    double deviations =
        TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(LEVEL / LOOKS);
    return Interval.around(
        estimate.logGain(),
        deviations * ofTag.pooledWith(ofFirst) * Math.sqrt(estimate.variancePerRunVariance()));
  }

  /** The tags on which the profile is known to lose more than the policy allows. */
  static List<ConfigTag> regressions(SweepState s, String profile) {
    return others(s).stream().filter(tag -> holding(s, profile, tag) == Holding.REGRESSES).toList();
  }

  /**
   * Whether the profile is known to hold on every tag. If no further run can show this, as in a
   * plan without cross-checks, it is enough that no tag is known to regress.
   */
  static boolean holdsEverywhere(SweepState s, String profile) {
    return wave(s).isEmpty()
        ? regressions(s, profile).isEmpty()
        : others(s).stream().allMatch(tag -> holding(s, profile, tag) == Holding.HOLDS);
  }

  /** The plan's cross-check wave, while it may still take runs. */
  static Optional<Wave> wave(SweepState s) {
    return s.waves().stream()
        .filter(w -> w.is(Wave.Kind.CROSS_CHECK) && w.isUnfinished())
        .map(WaveState::wave)
        .findFirst();
  }

  /**
   * Jobs of the first pass of this many profiles on all other tags, each beside its own controls.
   */
  static int jobs(SweepState s, Wave wave, int profiles) {
    return others(s).size() * wave.repetitions() * 2 * profiles;
  }

  /**
   * At the plan's end: the winner's looks, the looks of the contender behind it, then the winner's
   * extension.
   */
  static List<Decision> next(View view, Wave wave) {
    return firstOf(
        view, wave, List.of(CrossChecks::looks, CrossChecks::looksBehind, CrossChecks::extension));
  }

  /**
   * In the middle of the night: runs that show whether the winner holds, since that ends the
   * search.
   */
  static List<Decision> early(View view, Wave wave) {
    return firstOf(view, wave, List.of(CrossChecks::looks, CrossChecks::extension));
  }

  private interface Check {
    List<Decision> of(View view, Wave wave, String winner);
  }

  /** The runs of the first check that needs any, once the earlier checks have ended. */
  private static List<Decision> firstOf(View view, Wave wave, List<Check> checks) {
    boolean atRest =
        view.state().open().values().stream().noneMatch(t -> t.trial().wave().equals(wave.name()));
    Optional<Standing> winner =
        atRest ? Standings.winner(view.state(), view.board()) : Optional.empty();
    return winner.stream()
        .flatMap(st -> checks.stream().map(check -> check.of(view, wave, st.profile())))
        .filter(runs -> !runs.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /**
   * The winner's first runs on the other tags, and a second run on a tag where a single run is not
   * decisive.
   */
  private static List<Decision> looks(View view, Wave wave, String winner) {
    return look(view.state(), wave, winner, Statement.phrase("because-other-tags"));
  }

  private static List<Decision> looksBehind(View view, Wave wave, String winner) {
    SweepState s = view.state();
    return second(view, winner)
        .filter(second -> view.allowance().spendableOn(wave) >= jobs(s, wave, 1))
        .map(second -> look(s, wave, second, Statement.phrase("because-contender")))
        .orElse(List.of());
  }

  /** Further runs, once, on tags where it is still open whether the winner holds. */
  private static List<Decision> extension(View view, Wave wave, String winner) {
    SweepState s = view.state();
    int jobs = view.allowance().spendableOn(wave);
    Blocks blocks = new Blocks(s, wave.name());
    for (ConfigTag tag : others(s)) {
      int more = extension(s, wave, winner, tag, jobs - blocks.trials().size());
      compare(blocks, tag, winner, more);
    }
    return Waves.planned(wave, blocks.trials(), Statement.phrase("because-holds-open"));
  }

  private static List<Decision> look(SweepState s, Wave wave, String profile, Statement because) {
    Blocks blocks = new Blocks(s, wave.name());
    for (ConfigTag tag : others(s)) {
      int runs = (int) runs(s, profile, tag).count();
      boolean open = runs < SECOND_LOOK && holding(s, profile, tag) == Holding.NOT_KNOWN;
      compare(blocks, tag, profile, runs == 0 ? wave.repetitions() : open ? 1 : 0);
    }
    return Waves.openedIfPending(s, wave, Waves.planned(wave, blocks.trials(), because));
  }

  /** Profiles that ran on the other tags, including the winner. */
  public static List<String> checked(SweepState s) {
    return s.countingTrials()
        .map(TrialState::trial)
        .filter(t -> t.purpose() == Purpose.CROSS_CHECK)
        .map(Trial::profile)
        .distinct()
        .toList();
  }

  /**
   * Further runs beside as many controls: once, and at most as many as one confirmation may take.
   */
  private static int extension(
      SweepState s, Wave wave, String profile, ConfigTag tag, int jobsLeft) {
    long runs = runs(s, profile, tag).count();
    boolean extended = runs > Math.max(SECOND_LOOK, wave.repetitions());
    return extended || holding(s, profile, tag) != Holding.NOT_KNOWN
        ? 0
        : Math.max(0, Math.min(s.spec().policy().confirmRuns() - (int) runs, jobsLeft / 2));
  }

  private static void compare(Blocks blocks, ConfigTag tag, String profile, int times) {
    for (int r = 0; r < times; r++) {
      blocks.compare(tag.name(), List.of(profile), Purpose.CROSS_CONTROL, Purpose.CROSS_CHECK);
    }
  }

  private static Stream<Trial> runs(SweepState s, String profile, ConfigTag tag) {
    return s.countingTrials()
        .map(t -> t.trial())
        .filter(t -> t.purpose() == Purpose.CROSS_CHECK)
        .filter(t -> t.profile().equals(profile) && t.configTag().equals(tag.name()));
  }

  /** The profile to deploy if the winner may not be deployed. */
  private static Optional<String> second(View view, String winner) {
    return Search.contenders(view).stream()
        .filter(st -> !st.profile().equals(winner) && Racing.isConvincing(st))
        .map(Standing::profile)
        .findFirst();
  }

  private static List<ConfigTag> others(SweepState s) {
    return s.spec().configTags().subList(1, s.spec().configTags().size());
  }
}
