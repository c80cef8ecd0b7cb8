package io.nightsweep.conductor;

import io.nightsweep.measure.Leaderboard;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What one call of {@code decide} looks at; the leaderboard is drawn up once, if at all. */
final class View {
  private final SweepState state;
  private final Instant now;
  private @Nullable Leaderboard board;

  View(SweepState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  SweepState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  Leaderboard board() {
    if (board == null) {
      board = Standings.board(state);
    }
    return board;
  }
}
