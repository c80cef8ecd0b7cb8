package io.nightsweep.engine;

import io.nightsweep.conductor.Turns;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Hands the turn of a shared night from sweep to sweep. It is given up in one journal before it is
 * taken in another, so that no two sweeps that are driven here are given it; where a crash falls
 * between, nobody has it, and it is given anew. Where two have it, since one of them could not be
 * taken up for a while, the first that is looked at gives it up.
 */
public final class TurnKeeper {
  private TurnKeeper() {}

  /** A sweep of the night that is driven here. */
  public interface Member {
    SweepState state();

    void record(List<Event> events) throws IOException, InterruptedException;

    /** Whether a look holds it, so that it could take no turn. */
    default boolean isBusy() {
      return false;
    }
  }

  /**
   * To be called for one sweep of the night at a time.
   *
   * @param self has just looked at its jobs; while it has the turn, no other gives it away, since
   *     its own look may be sending jobs
   * @param hosted all sweeps of the night that are driven here
   * @param over its sweeps that have finished
   * @return who took the turn, if anybody did
   */
  public static <M extends Member> Optional<M> look(
      M self, List<M> hosted, List<SweepState> over, Instant now)
      throws IOException, InterruptedException {
    Optional<String> another =
        hosted.stream()
            .filter(m -> m != self)
            .map(Member::state)
            .filter(TurnKeeper::hasTurn)
            .map(SweepState::sweep)
            .findFirst();
    if (another.isPresent()) {
      if (hasTurn(self.state())) {
        self.record(List.of(new Event.TurnPassed(another.get())));
      }
      return Optional.empty();
    }
    Optional<Turns.Next> next =
        Turns.next(Stream.concat(hosted.stream().map(Member::state), over.stream()).toList(), now);
    if (next.isEmpty()) {
      return Optional.empty();
    }
    Optional<M> to =
        hosted.stream().filter(m -> m.state().sweep().equals(next.get().to())).findFirst();
    if (to.filter(Member::isBusy).isPresent()) {
      // The sweep that has the turn keeps it until then.
      return Optional.empty();
    }
    if (next.get().from().isPresent()) {
      self.record(List.of(new Event.TurnPassed(next.get().to())));
    }
    if (to.isPresent()) {
      to.get().record(List.of(next.get().taken()));
    }
    return to;
  }

  private static boolean hasTurn(SweepState s) {
    return !s.isFinished() && s.night().filter(SharedNight::hasTurn).isPresent();
  }
}
