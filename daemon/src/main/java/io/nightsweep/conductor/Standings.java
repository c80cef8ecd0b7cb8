package io.nightsweep.conductor;

import io.nightsweep.measure.CarryOver;
import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.ConfirmationPlan;
import io.nightsweep.measure.EarlyStop;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.LossGuard;
import io.nightsweep.measure.Observation;
import io.nightsweep.measure.PairedRatio;
import io.nightsweep.measure.RacingPolicy;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.SteadyState;
import io.nightsweep.measure.StepSeries;
import io.nightsweep.measure.Verdict;
import io.nightsweep.measure.Window;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Passes a sweep's measurements to the {@code measure} room. */
public final class Standings {
  private static final double CONFIRMATION_POWER = 0.95;

  private Standings() {}

  /** All profiles on the primary config tag. */
  public static Leaderboard board(SweepState s) {
    return board(s, s.spec().primaryTag().name());
  }

  public static Leaderboard board(SweepState s, String configTag) {
    return board(s, configTag, comparison(s, configTag), unsafe(s, configTag, SteadyState::of));
  }

  private static Comparison comparison(SweepState s, String configTag) {
    return comparison(s, configTag, SteadyState::of);
  }

  /**
   * @param steady {@link SteadyState#of(Measurement)}, or a memo of it
   */
  static Comparison comparison(
      SweepState s, String configTag, Function<Measurement, Optional<SteadyState>> steady) {
    return Comparison.of(
        measured(s, configTag).stream().map(t -> observation(s, t, steady)).toList());
  }

  /** Every run of the primary config tag with its drift correction. */
  public static List<PairedRatio> ratios(SweepState s) {
    return comparison(s, s.spec().primaryTag().name()).ratios();
  }

  static Leaderboard board(
      SweepState s,
      String configTag,
      Comparison comparison,
      Map<String, Cause.OtherResult> unsafe) {
    List<ConfirmationPlan> plans =
        configTag.equals(s.spec().primaryTag().name())
            ? s.confirmations().stream()
                .map(c -> new ConfirmationPlan(c.profile(), c.runsPerArm()))
                .toList()
            : List.of();
    return Leaderboard.of(comparison, plans, unsafe, parts(s), policy(s));
  }

  private static Map<String, List<String>> parts(SweepState s) {
    return s.profiles().values().stream()
        .filter(profile -> !profile.parts().isEmpty())
        .collect(Collectors.toMap(Profile::name, Profile::parts));
  }

  /**
   * The confirmed profile with the greatest published gain. A profile that is known to lose on
   * another config tag is chosen only if all others lose too.
   */
  public static Optional<Standing> winner(SweepState s) {
    return winner(s, board(s));
  }

  /** The winner on a leaderboard that was computed already. */
  public static Optional<Standing> winner(SweepState s, Leaderboard board) {
    List<Standing> confirmed =
        board.standings().stream()
            .filter(standing -> standing.verdict() instanceof Verdict.Win)
            .sorted(Comparator.comparingDouble(Standings::publishedLogGain).reversed())
            .toList();
    return confirmed.size() < 2
        ? confirmed.stream().findFirst()
        : confirmed.stream()
            .filter(standing -> CrossChecks.regressions(s, standing.profile()).isEmpty())
            .findFirst()
            .or(() -> Optional.of(confirmed.getFirst()));
  }

  /**
   * The best guess while no profile is confirmed: it is still in the sweep, has gained, and
   * computes what the baseline does.
   */
  public static Optional<Standing> leader(SweepState s, Leaderboard board) {
    return board.standings().stream()
        .filter(st -> !st.profile().equals(Profile.BASELINE_NO_ENV))
        .filter(st -> !s.isDropped(st.profile()) && st.estimate().logGain() > 0)
        .filter(st -> !(st.verdict() instanceof Verdict.Unsafe))
        .max(Comparator.comparingDouble(Standing::posteriorLogGain));
  }

  /** The gain of the fresh runs alone if there are any, else of all runs. */
  public static double publishedLogGain(Standing standing) {
    return standing
        .confirmation()
        .filter(c -> c.complete())
        .map(c -> c.logGain())
        .orElse(standing.estimate().logGain());
  }

  static RacingPolicy policy(SweepState s) {
    int candidates = Math.max(1, s.profileOrder().size() - 1);
    var p = s.spec().policy();
    return new RacingPolicy(
        p.familyWiseError(),
        candidates * s.spec().configTags().size(),
        p.worthwhileGain(),
        p.equivalenceMargin(),
        p.expectedNoise(),
        CONFIRMATION_POWER,
        p.confirmRuns(),
        p.maxRunsPerProfile(),
        p.blockSize());
  }

  /**
   * Profiles with a loss that departs from the baseline's in any run, with the reason.
   *
   * @param steady {@link SteadyState#of(Measurement)}, or a memo of it
   */
  static Map<String, Cause.OtherResult> unsafe(
      SweepState s, String configTag, Function<Measurement, Optional<SteadyState>> steady) {
    List<TrialState> measured = measured(s, configTag);
    // A learning rate schedule spans the run, so losses of short and whole runs differ.
    Map<Boolean, List<Double>> baselines =
        measured.stream()
            .filter(t -> t.trial().purpose().isControl())
            .collect(
                Collectors.groupingBy(
                    t -> isShort(s, t.trial()),
                    Collectors.flatMapping(
                        t -> steadyOf(t, steady).flatMap(Standings::lastLoss).stream(),
                        Collectors.toList())));
    Map<String, Cause.OtherResult> unsafe = new HashMap<>();
    for (TrialState t : measured) {
      List<Double> baselineLosses = baselines.getOrDefault(isShort(s, t.trial()), List.of());
      if (!t.trial().purpose().isControl()) {
        steadyOf(t, steady)
            .flatMap(run -> LossGuard.unsafe(run, baselineLosses))
            .ifPresent(reason -> unsafe.putIfAbsent(t.trial().profile(), reason));
      }
    }
    return unsafe;
  }

  private static Optional<Double> lastLoss(SteadyState steady) {
    return steady.lastLoss().stream().boxed().findFirst();
  }

  private static boolean isShort(SweepState s, Trial trial) {
    return s.spec().shortSteps(trial).isPresent();
  }

  /**
   * Trials of the primary config tag with a run far from the other runs of the same profile, slower
   * or faster.
   */
  public static List<TrialState> stragglers(SweepState s) {
    return stragglers(s, s.spec().primaryTag().name());
  }

  public static List<TrialState> stragglers(SweepState s, String configTag) {
    List<Observation> slow = comparison(s, configTag).stragglers();
    return measured(s, configTag).stream()
        .filter(t -> slow.contains(observation(s, t, SteadyState::of)))
        .toList();
  }

  /** Runs of the primary config tag that no estimate uses. */
  public static Set<Observation> leftOut(SweepState s) {
    return Set.copyOf(comparison(s, s.spec().primaryTag().name()).stragglers());
  }

  /** The carry-over between runs of the primary config tag. */
  public static CarryOver carryOver(SweepState s) {
    return comparison(s, s.spec().primaryTag().name()).carryOver();
  }

  /** Why a running job's profile has already lost; empty if it may go on. */
  static Optional<Cause> lostAlready(SweepState s, AttemptState running, View view) {
    return running
        .sofar()
        .filter(sofar -> !isStrained(s, running.id()))
        .flatMap(
            sofar ->
                EarlyStop.cause(
                    new StepSeries(sofar.steps()),
                    new Window(sofar.windowFrom(), sofar.windowTo()),
                    view.comparison()
                        .baselineAt(
                            running.startedAt().orElse(running.intendedAt()).toEpochMilli()
                                / 1000.0,
                            isShort(s, s.trialOf(running.id()))),
                    s.spec().metric().better() == Metric.Better.HIGHER,
                    view.board().noise(),
                    policy(s),
                    view.comparison().estimate(s.trialOf(running.id()).profile())));
  }

  /** Whether a node of the attempt was slowed down while it ran. */
  static boolean isStrained(SweepState s, AttemptId attempt) {
    return s.strains().stream().anyMatch(e -> e.attempt().equals(attempt));
  }

  private static List<TrialState> measured(SweepState s, String configTag) {
    return s.countingTrials()
        .filter(t -> t.trial().configTag().equals(configTag) && t.trial().purpose().measures())
        .filter(t -> t.measurement().isPresent())
        .toList();
  }

  private static Observation observation(
      SweepState s, TrialState t, Function<Measurement, Optional<SteadyState>> steady) {
    Trial trial = t.trial();
    double sign = s.spec().metric().better() == Metric.Better.HIGHER ? 1 : -1;
    boolean fresh =
        trial.purpose() == Trial.Purpose.CONFIRM
            || trial.purpose() == Trial.Purpose.CONFIRM_CONTROL;
    AttemptState last = t.attempts().getLast();
    Instant start = last.startedAt().orElse(last.intendedAt());
    return new Observation(
        trial.profile(),
        trial.purpose().isControl(),
        fresh ? Observation.Stage.CONFIRMATION : Observation.Stage.SCREENING,
        Integer.toString(trial.block()),
        trial.configTag(),
        sign * Math.log(t.measurement().orElseThrow().value()),
        steadyOf(t, steady).map(SteadyState::logStandardError).orElse(Double.NaN),
        start.toEpochMilli() / 1000.0,
        isStrained(s, last.id()),
        isShort(s, trial));
  }

  private static Optional<SteadyState> steadyOf(
      TrialState t, Function<Measurement, Optional<SteadyState>> steady) {
    return steady.apply(t.measurement().orElseThrow());
  }
}
