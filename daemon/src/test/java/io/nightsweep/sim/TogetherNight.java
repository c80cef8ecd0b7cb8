package io.nightsweep.sim;

import io.nightsweep.engine.TurnKeeper;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sweeps of several cells in one night on the same nodes, each by the real engine and conductor,
 * with turns from a real daemon's turn-keeper.
 */
final class TogetherNight {
  private static final int MOST_LOOKS = 200_000;
  private static final Duration NOBODY = Duration.ofSeconds(20);

  private final VirtualClock clock = new VirtualClock(Night.NIGHTFALL);
  private final List<Night> nights = new ArrayList<>();
  private int mostAtOnce;

  /** Adds a sweep. */
  Night with(String sweep, SweepSpec spec, Surface surface, Faults faults, long seed) {
    Night night =
        new Night(sweep, clock, spec, surface, faults, Timing.of(Duration.ofMinutes(10)), seed)
            .after(List.of(new Event.NightJoined("together")));
    nights.add(night);
    return night;
  }

  /** Runs the night; results are in the order of the sweeps. */
  List<Night.Result> run() throws IOException, InterruptedException {
    List<Night.NightWalk> walks = nights.stream().map(Night::begin).toList();
    for (int look = 0; look < MOST_LOOKS; look++) {
      boolean passed = false;
      for (Night.NightWalk walk : walks) {
        if (!walk.state().isDone()) {
          walk.look();
        }
        passed |= isGivenOn(walk, walks);
        mostAtOnce = Math.max(mostAtOnce, (int) walks.stream().filter(TogetherNight::runs).count());
      }
      if (walks.stream().allMatch(walk -> walk.state().isDone())) {
        return walks.stream().map(Night.NightWalk::result).toList();
      }
      if (!passed) {
        clock.advanceTo(next(walks));
      }
    }
    throw new IllegalStateException("the night has no end");
  }

  /** The largest number of sweeps that had jobs in the queue or on the nodes at the same time. */
  int mostAtOnce() {
    return mostAtOnce;
  }

  private boolean isGivenOn(Night.NightWalk walk, List<Night.NightWalk> walks)
      throws InterruptedException {
    try {
      return TurnKeeper.look(walk, walks, List.of(), clock.instant()).isPresent();
    } catch (IOException e) {
      // The daemon died during it; the next look gives the turn.
      return false;
    }
  }

  private static boolean runs(Night.NightWalk walk) {
    return !walk.state().inFlight().isEmpty();
  }

  private Instant next(List<Night.NightWalk> walks) {
    return walks.stream()
        .filter(walk -> !walk.state().isDone() && hasTurn(walk.state()))
        .map(Night.NightWalk::nextLook)
        .min(Comparator.naturalOrder())
        .orElseGet(() -> clock.instant().plus(NOBODY));
  }

  private static boolean hasTurn(SweepState s) {
    return s.night().orElseThrow().hasTurn();
  }
}
