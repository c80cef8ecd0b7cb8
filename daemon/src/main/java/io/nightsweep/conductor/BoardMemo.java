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
 * Keeps what was worked out from a sweep's measurements until there is another one: most events
 * measure nothing, and the leaderboard costs more than all else that a decision looks at. It saves
 * time and decides nothing. For the states of one history, in their order, and for one thread.
 */
public final class BoardMemo {
  /** A measurement never changes, and the same one stands in all states that follow it. */
  private final IdentityHashMap<Measurement, Optional<SteadyState>> steady =
      new IdentityHashMap<>();

  private @Nullable Grounds grounds;
  private @Nullable Assessment assessment;

  /**
   * @param unsafe profiles that compute something else than the baseline, with the reason
   * @param typicalJob the median time of the jobs so far
   */
  record Assessment(
      Comparison comparison,
      Leaderboard board,
      Map<String, Cause.OtherResult> unsafe,
      Optional<Duration> typicalJob) {}

  /** A trial is closed once and for all, so that the number of closed ones tells which they are. */
  private record Grounds(
      SweepSpec spec,
      int profiles,
      int closed,
      int confirmations,
      Optional<TrialId> repinnedAfter) {}

  Assessment of(SweepState s) {
    Grounds now =
        new Grounds(
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
    return steady.computeIfAbsent(measurement, Standings::steady);
  }
}
