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
 * Passes the turn of a shared night from sweep to sweep. The turn is given up in one journal before
 * it is taken in another, so that two sweeps driven here never get it together. After a crash
 * between the two, nobody has the turn, and it is given out again. Two sweeps may have it if one of
 * them could not be resumed for a while; then the first of them to tick gives it up.
 */
public final class TurnKeeper {
  private TurnKeeper() {}

  /** A sweep of the night that this daemon drives. */
  public interface Member {
    SweepState state();

    void record(List<Event> events) throws IOException, InterruptedException;

    /** Whether a tick holds the sweep, so that it could not take a turn. */
    default boolean isBusy() {
      return false;
    }
  }

  /**
   * To be called for one sweep of the night at a time.
   *
   * @param self has just ended its tick; while it has the turn, no other sweep passes it on, since
   *     its own tick may be submitting jobs
   * @param hosted all sweeps of the night that are driven here
   * @param over its finished sweeps
   * @return the sweep that took the turn, if any
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
