package io.nightsweep.page;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Caches the leaderboards of recently viewed states: a leaderboard costs more than the rest of a
 * frame, and most events do not change it.
 */
final class Boards {
  private static final int KEPT = 16;

  private final Map<BoardKey, Leaderboard> kept =
      new LinkedHashMap<>(KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BoardKey, Leaderboard> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * Everything a leaderboard is computed from. A trial never reopens, so the number of closed ones
   * suffices.
   */
  record BoardKey(
      String sweep,
      Optional<Instant> startedAt,
      int spec,
      int profiles,
      int dropped,
      int closed,
      int confirmations,
      int anew) {
    static BoardKey of(SweepState s) {
      return new BoardKey(
          s.sweep(),
          s.startedAt(),
          s.startedSpec().map(Boards::identity).orElse(0),
          s.profileOrder().size(),
          s.dropped().size(),
          s.trials().size() - s.open().size(),
          s.confirmations().size(),
          s.repinnedAfter().map(t -> t.number()).orElse(0));
    }
  }

  /**
   * The nodes: the only part of the specification that affects a leaderboard and that a command can
   * change.
   */
  private static int identity(SweepSpec spec) {
    return spec.cell().nodes().hashCode();
  }

  Leaderboard of(SweepState s) {
    BoardKey grounds = BoardKey.of(s);
    synchronized (kept) {
      Leaderboard known = kept.get(grounds);
      if (known != null) {
        return known;
      }
    }
    Leaderboard board = Standings.board(s);
    synchronized (kept) {
      kept.put(grounds, board);
    }
    return board;
  }
}
