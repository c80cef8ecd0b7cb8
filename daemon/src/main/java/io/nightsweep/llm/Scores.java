package io.nightsweep.llm;

import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.Hypothesis.Signal;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Scores hypotheses by what was measured after they were written down. */
public final class Scores {
  /** How a hypothesis stands. */
  public enum HypothesisScore {
    /** Its runs do not decide yet. */
    OPEN,
    /** The sweep ended before a run of it was measured. */
    NOT_RUN,
    HELD,
    /** It gained, but a profiled run shows that the predicted signal was not the reason. */
    UNEXPLAINED,
    REFUTED
  }

  private Scores() {}

  /**
   * Scores by the sign and size of the gain, and by the signal where a profiled run can show it.
   */
  public static HypothesisScore of(SweepState s, Leaderboard board, Hypothesis h) {
    Event.ProfileDropped dropped = s.dropped().get(h.profile().name());
    if (dropped != null && (isFailure(dropped.cause()) || isInert(dropped.why()))) {
      return HypothesisScore.REFUTED;
    }
    HypothesisScore byGain =
        board
            .of(h.profile().name())
            .map(standing -> of(standing, h, dropped))
            .orElse(s.isFinished() ? HypothesisScore.NOT_RUN : HypothesisScore.OPEN);
    return byGain == HypothesisScore.HELD && signal(s, h).filter(seen -> !seen).isPresent()
        ? HypothesisScore.UNEXPLAINED
        : byGain;
  }

  private static HypothesisScore of(
      Standing standing, Hypothesis h, Event.@Nullable ProfileDropped dropped) {
    Interval interval = standing.verdict().interval();
    if (standing.verdict() instanceof Verdict.Win) {
      return interval.highPercent() >= h.lowPercent()
          ? HypothesisScore.HELD
          : HypothesisScore.REFUTED;
    }
    boolean lost =
        standing.verdict() instanceof Verdict.Loss
            || standing.verdict() instanceof Verdict.Unsafe
            || (standing.verdict() instanceof Verdict.Neutral && h.lowPercent() > 0)
            || (dropped != null && dropped.cause() == DropCause.RACED_OUT);
    return lost || interval.highPercent() < h.refutedBelowPercent()
        ? HypothesisScore.REFUTED
        : HypothesisScore.OPEN;
  }

  private static boolean isInert(Cause why) {
    return why instanceof Cause.SameProgram same && same.as().equals(Profile.BASELINE);
  }

  private static boolean isFailure(DropCause cause) {
    return switch (cause) {
      case FAILED, UNSAFE, UNSUPPORTED -> true;
      case RACED_OUT, SKIPPED, NO_MECHANISM, ALREADY_SET, SAME_PROGRAM, SHARE_SPENT -> false;
    };
  }

  /** Whether the predicted signal was seen; empty where the profile was never profiled. */
  public static Optional<Boolean> signal(SweepState s, Hypothesis h) {
    String kind =
        h.signal().source() == Signal.SignalSource.HLO ? Finding.MECHANISMS : Finding.BREAKDOWN;
    Optional<SortedMap<String, Double>> mine = figures(s, kind, h.profile().name());
    return figures(s, kind, Profile.BASELINE)
        .flatMap(before -> mine.map(after -> isSeen(h.signal(), before, after)));
  }

  private static boolean isSeen(
      Signal signal, SortedMap<String, Double> before, SortedMap<String, Double> after) {
    double was = before.getOrDefault(signal.name(), 0.0);
    double is = after.getOrDefault(signal.name(), 0.0);
    return switch (signal.change()) {
      case APPEARS -> was == 0 && is > 0;
      case VANISHES -> was > 0 && is == 0;
      case GROWS -> is > was;
      case SHRINKS -> is < was;
    };
  }

  private static Optional<SortedMap<String, Double>> figures(
      SweepState s, String kind, String profile) {
    return s.findings().stream()
        .filter(f -> f.is(kind))
        .filter(f -> s.trialOf(f.attempt()).profile().equals(profile))
        .map(Finding::figures)
        .reduce((first, second) -> second);
  }

  /** The hypotheses that this night refuted, for later nights. */
  public static List<Remembered> refuted(SweepState s, Leaderboard board) {
    SortedMap<String, String> versions = versions(s);
    return s.llm()
        .hypotheses()
        .filter(h -> of(s, board, h) == HypothesisScore.REFUTED)
        .map(
            h ->
                new Remembered(
                    s.cell().model(),
                    s.cell().parallelism(),
                    versions,
                    h.profile().describe(),
                    h.mechanism(),
                    board
                        .of(h.profile().name())
                        .map(st -> Interval.percent(st.estimate().logGain()))
                        .orElse(Double.NaN)))
        .toList();
  }

  static SortedMap<String, String> versions(SweepState s) {
    TreeMap<String, String> versions = new TreeMap<>();
    s.inventory().stream()
        .filter(Fact::headline)
        .forEach(fact -> versions.put(fact.name(), fact.value()));
    return versions;
  }
}
