package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guard")
@Tag("hours")
class TurnKeeperTest {
  private static final Instant NOW = Instant.parse("2026-01-01T22:00:00Z");
  private static final Command.Origin ME = new Command.Origin(Command.Origin.Door.CLI, "me");
  private static final Budget NOTHING =
      new Budget(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** A sweep that only the test reports on. */
  private static final class ToldSweep implements TurnKeeper.Member {
    private SweepState state = SweepState.empty();
    private boolean busy;

    ToldSweep(String sweep) {
      record(
          List.of(
              new Event.SweepStarted(sweep, 1, Specs.kernels(3, 20)),
              new Event.NightJoined("one")));
    }

    @Override
    public SweepState state() {
      return state;
    }

    @Override
    public void record(List<Event> events) {
      for (Event event : events) {
        state = state.apply(new Entry(state.seq() + 1, NOW, event));
      }
    }

    @Override
    public boolean isBusy() {
      return busy;
    }

    boolean hasTurn() {
      return state.night().filter(SharedNight::hasTurn).isPresent();
    }
  }

  /** As after a restart with a sweep that the previous daemon could not open. */
  @Test
  void ofTwoThatHaveTheTurnOneGivesItUp() throws Exception {
    ToldSweep a = new ToldSweep("a");
    ToldSweep b = new ToldSweep("b");
    List<ToldSweep> night = List.of(a, b);
    night.forEach(sweep -> sweep.record(List.of(new Event.TurnTaken(NOTHING, new TreeMap<>()))));
    assertThat(TurnKeeper.look(a, night, List.of(), NOW)).isEmpty();
    assertThat(a.hasTurn()).isFalse();
    assertThat(b.hasTurn()).isTrue();
    assertThat(TurnKeeper.look(a, night, List.of(), NOW)).as("b keeps it").isEmpty();
    assertThat(TurnKeeper.look(b, night, List.of(), NOW)).isPresent();
    assertThat(night.stream().filter(ToldSweep::hasTurn)).hasSize(1);
  }

  /** The sweep could not use the turn, and until its look ends no other sweep would have it. */
  @Test
  void aSweepWhoseLookHangsIsGivenNoTurn() throws Exception {
    ToldSweep a = new ToldSweep("a");
    ToldSweep b = new ToldSweep("b");
    List<ToldSweep> night = List.of(a, b);
    assertThat(TurnKeeper.look(a, night, List.of(), NOW)).isPresent();
    ToldSweep holder = a.hasTurn() ? a : b;
    ToldSweep other = a.hasTurn() ? b : a;
    holder.record(List.of(new Event.CommandAccepted(new Command.Pause(), ME)));
    other.busy = true;
    assertThat(TurnKeeper.look(holder, night, List.of(), NOW)).isEmpty();
    assertThat(holder.hasTurn()).isTrue();
    other.busy = false;
    assertThat(TurnKeeper.look(holder, night, List.of(), NOW)).contains(other);
    assertThat(holder.hasTurn()).isFalse();
  }
}
