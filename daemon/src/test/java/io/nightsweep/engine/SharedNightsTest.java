package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a shared night may cost those who share it, and nobody else. */
@Tag("guard")
@Tag("hours")
class SharedNightsTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final Budget NOTHING =
      new Budget(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  @TempDir private Path dir;

  @Test
  void aSweepWithoutSuchANightWaitsForNoneThatHasOne() throws Exception {
    SimulatedParts parts = new SimulatedParts();
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    SweepDirectory directory = state.sweep("alone");
    Files.createDirectory(directory.root());
    Request.Start start = DaemonTest.start("alone", "n1");
    SharedNights nights = new SharedNights(state);
    try (HostedSweep alone =
        HostedSweep.start(
            directory,
            start.origin(),
            start.spec(),
            1,
            new Event.DaemonStarted("test", "host", 1),
            parts,
            state,
            parts)) {
      // As a thread that gives a turn to a sweep whose look does not end.
      synchronized (nights) {
        assertThat(
                CompletableFuture.supplyAsync(
                        () -> nights.look(alone, List.of(alone), parts.instant()))
                    .get(60, TimeUnit.SECONDS))
            .isEmpty();
      }
    }
  }

  /** Its jobs may be on the nodes, and it would still have the turn when it is taken up. */
  @Test
  void aSweepThatCouldNotBeTakenUpKeepsItsTurn() throws Exception {
    SweepState lost = sweep("lost").apply(new Entry(3, NIGHTFALL, turn()));
    Member other = new Member(sweep("other"));
    assertThat(TurnKeeper.look(other, List.of(other), List.of(lost), NIGHTFALL)).isEmpty();
    assertThat(other.state.night()).isEqualTo(sweep("other").night());
    assertThat(TurnKeeper.look(other, List.of(other), List.of(), NIGHTFALL)).contains(other);
    assertThat(other.state.night()).get().extracting(SharedNight::hasTurn).isEqualTo(true);
  }

  private static SweepState sweep(String id) {
    Event started = new Event.SweepStarted(id, 1, Specs.kernels(4, Optional.of(30)));
    return SweepState.fold(
        List.of(
            new Entry(1, NIGHTFALL, started),
            new Entry(2, NIGHTFALL, new Event.NightJoined("one"))));
  }

  private static Event turn() {
    return new Event.TurnTaken(NOTHING, new TreeMap<>());
  }

  private static final class Member implements TurnKeeper.Member {
    private SweepState state;

    Member(SweepState state) {
      this.state = state;
    }

    @Override
    public SweepState state() {
      return state;
    }

    @Override
    public void record(List<Event> events) {
      events.forEach(e -> state = state.apply(new Entry(state.seq() + 1, NIGHTFALL, e)));
    }
  }
}
