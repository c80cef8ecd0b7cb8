package io.nightsweep.conductor;

import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The input of one call of {@code decide}; the leaderboard is computed on demand. */
final class View {
  private final SweepState state;
  private final Instant now;
  private final BoardMemo memo;
  private @Nullable Allowance allowance;
  private @Nullable Set<TrialId> keptBack;

  View(SweepState state, Instant now, BoardMemo memo) {
    this.state = state;
    this.now = now;
    this.memo = memo;
  }

  SweepState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  /** The median time of the jobs so far. */
  Optional<Duration> typicalJob() {
    return memo.of(state).typicalJob();
  }

  Allowance allowance() {
    Allowance known = allowance;
    if (known == null) {
      BoardMemo.Assessment assessed = memo.of(state);
      known =
          Allowance.of(
              state,
              now,
              assessed.typicalJob(),
              Standings.winner(state, assessed.board()).isPresent(),
              Search.mayConfirmMore(this),
              (int)
                  Search.contenders(this).stream()
                      .filter(st -> Search.isWorthARun(state, st))
                      .count(),
              Stacks.of(this).size());
      allowance = known;
    }
    return known;
  }

  /** Whether a candidate's first job is held back although it could run; see {@link Fit}. */
  boolean isKeptBack(TrialState t) {
    Set<TrialId> known = keptBack;
    if (known == null) {
      known = Fit.keptBack(this);
      keptBack = known;
    }
    return known.contains(t.trial().id());
  }

  /** Profiles that compute something other than the baseline, with the reason. */
  Map<String, Cause.OtherResult> unsafe() {
    return memo.of(state).unsafe();
  }

  /** All runs on the primary config tag. */
  Comparison comparison() {
    return memo.of(state).comparison();
  }

  Leaderboard board() {
    return memo.of(state).board();
  }
}
