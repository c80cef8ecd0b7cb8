package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.judging.ImplausibleRun;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Results of earlier sweeps of the same cell with the same program. */
public final class EarlierNights {
  /** The log-gain of a profile that an earlier sweep refuted, lower than any other. */
  public static final double REFUTED = Double.NEGATIVE_INFINITY;

  private EarlierNights() {}

  /**
   * The log-gain of each profile in the latest sweep that measured it, by the profile's hash;
   * {@link #REFUTED} for those that it ruled out.
   *
   * @param inventory what the sweep inherits; earlier sweeps of another image, branch or
   *     configuration do not count
   * @param earlier the latest first
   */
  public static Map<String, Double> logGains(
      SweepSpec spec, List<Fact> inventory, List<SweepState> earlier) {
    Map<String, Double> known = new HashMap<>();
    earlier.stream()
        .filter(s -> s.startedSpec().isPresent() && isOfTheSameProgram(s, spec, inventory))
        .forEach(s -> logGains(s).forEach(known::putIfAbsent));
    return known;
  }

  /**
   * Log-gains beyond the policy's plausibility limit that earlier sweeps verified, by the profile's
   * hash: fresh runs confirmed them, or a person took the profile back.
   *
   * @param inventory as above
   * @param earlier the latest first
   */
  public static SortedMap<String, Double> beyondBelief(
      SweepSpec spec, List<Fact> inventory, List<SweepState> earlier) {
    TreeMap<String, Double> known = new TreeMap<>();
    OptionalDouble limit = spec.policy().plausibleGain();
    if (limit.isPresent()) {
      earlier.stream()
          .filter(s -> s.startedSpec().isPresent() && isOfTheSameProgram(s, spec, inventory))
          .forEach(s -> beyond(limit.getAsDouble(), s).forEach(known::putIfAbsent));
    }
    return known;
  }

  private static Map<String, Double> beyond(double limit, SweepState s) {
    return Standings.board(s).standings().stream()
        .filter(st -> Standings.publishedLogGain(st) > Math.log1p(limit))
        .filter(
            st ->
                st.verdict() instanceof Verdict.Win
                    || ImplausibleRun.isTakenBack(s, s.profile(st.profile())))
        .collect(
            Collectors.toMap(
                st -> s.profile(st.profile()).hash(), Standings::publishedLogGain, Math::max));
  }

  private static boolean isOfTheSameProgram(SweepState s, SweepSpec spec, List<Fact> inventory) {
    SweepSpec before = s.spec();
    return before.cell().model().equals(spec.cell().model())
        && before.cell().parallelism().equals(spec.cell().parallelism())
        && before.cell().nodes().size() == spec.cell().nodes().size()
        && before.workload().equals(spec.workload())
        && before.settings().equals(spec.settings())
        && before.primaryTag().equals(spec.primaryTag())
        && new HashSet<>(s.inventory()).containsAll(versions(inventory));
  }

  private static Set<Fact> versions(List<Fact> inventory) {
    return inventory.stream().filter(Fact::headline).collect(Collectors.toSet());
  }

  private static Map<String, Double> logGains(SweepState s) {
    Map<String, Double> gains = new HashMap<>();
    Leaderboard board = Standings.board(s);
    for (Standing standing : board.standings()) {
      gains.put(
          s.profile(standing.profile()).hash(),
          isNoGain(standing.verdict()) ? REFUTED : Standings.publishedLogGain(standing));
    }
    s.dropped().values().stream()
        .filter(EarlierNights::isRefuted)
        .forEach(d -> gains.put(s.profile(d.profile()).hash(), REFUTED));
    return gains;
  }

  private static boolean isNoGain(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Loss v -> true;
      case Verdict.Neutral v -> true;
      case Verdict.Unsafe v -> true;
      case Verdict.Win v -> false;
      case Verdict.Undecided v -> false;
    };
  }

  private static boolean isRefuted(Event.ProfileDropped dropped) {
    return switch (dropped.cause()) {
      case RACED_OUT, FAILED, UNSAFE, UNSUPPORTED, NO_MECHANISM, ALREADY_SET, SAME_PROGRAM -> true;
      case SKIPPED, SHARE_SPENT -> false;
    };
  }
}
