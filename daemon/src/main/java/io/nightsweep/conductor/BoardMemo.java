package io.nightsweep.conductor;

import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.SteadyState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was computed from a sweep's measurements until there is a new measurement. Most events
 * measure nothing, and the leaderboard is the most expensive part of a decision. The memo saves
 * time and does not affect decisions. It must be used by one thread, with the states of one history
 * in their order.
 */
public final class BoardMemo {
  /** A measurement never changes, and later states share the same object. */
  private final IdentityHashMap<Measurement, Optional<SteadyState>> steady =
      new IdentityHashMap<>();

  private @Nullable BoardInput grounds;
  private @Nullable Assessment assessment;

  /**
   * @param unsafe profiles that compute something other than the baseline, with the reason
   * @param typicalJob the median time of the jobs so far
   */
  record Assessment(
      Comparison comparison,
      Leaderboard board,
      Map<String, Cause.OtherResult> unsafe,
      Optional<Duration> typicalJob) {}

  /** A closed trial stays closed, so the number of closed trials identifies them. */
  private record BoardInput(
      SweepSpec spec,
      int profiles,
      int closed,
      int confirmations,
      Optional<TrialId> repinnedAfter) {}

  Assessment of(SweepState s) {
    BoardInput now =
        new BoardInput(
            s.spec(),
            s.profileOrder().size(),
            s.trials().size() - s.open().size(),
            s.confirmations().size(),
            s.repinnedAfter());
    Assessment last = assessment;
    if (last == null || !now.equals(grounds)) {
      String tag = s.spec().primaryTag().name();
      Comparison comparison = Standings.comparison(s, tag, this::steady);
      Map<String, Cause.OtherResult> unsafe = Standings.unsafe(s, tag, this::steady);
      last =
          new Assessment(
              comparison,
              Standings.board(s, tag, comparison, unsafe),
              unsafe,
              Allowance.typicalJob(s));
      grounds = now;
      assessment = last;
    }
    return last;
  }

  private Optional<SteadyState> steady(Measurement measurement) {
    return steady.computeIfAbsent(measurement, SteadyState::of);
  }
}
