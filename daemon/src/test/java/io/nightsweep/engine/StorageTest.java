package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.Journal;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.SimCluster;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.EndDiagnoser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A disk that is temporarily full. */
class StorageTest {
  private static final Instant START = Instant.parse("2026-01-01T22:00:00Z");

  /** Keeps all that it accepts, and accepts nothing while it is full. */
  private static final class SmallDisk implements Journal {
    private final List<Entry> entries = new ArrayList<>();
    private boolean full;

    @Override
    public List<Entry> append(Instant at, List<Event> events) throws IOException {
      if (full) {
        throw new IOException("No space left on device");
      }
      List<Entry> added = new ArrayList<>();
      for (Event event : events) {
        added.add(new Entry(entries.size() + added.size() + 1L, at, event));
      }
      entries.addAll(added);
      return added;
    }

    @Override
    public void close() {}
  }

  @Test
  void aFullDiskPausesTheSweepSubmitsNothingAndLosesNothing() throws Exception {
    VirtualClock clock = new VirtualClock(START);
    SimCluster cluster =
        new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofMinutes(1));
    SimWorkload workload = new SimWorkload(Specs.surface(0.05, 0.005), cluster, "night", START, 1);
    SmallDisk disk = new SmallDisk();
    disk.append(START, List.of(new Event.SweepStarted("night", 1, Specs.kernels(6))));
    SweepDirectory directory = new SweepDirectory(Path.of("night"));
    SweepEngine engine =
        new SweepEngine(
            SweepState.fold(disk.entries),
            disk,
            new Observer(directory, cluster, workload, new EndDiagnoser(), Settings.defaults()),
            new Actor(
                directory,
                cluster,
                workload,
                (step, attempt, state) ->
                    CompletableFuture.completedFuture(StepEnd.succeeded(Statement.words("")))),
            (seq, at, decision) -> {},
            clock);

    int failures = 0;
    for (int tick = 0; tick < 2_000 && !engine.state().isFinished(); tick++) {
      disk.full = tick % 7 >= 3;
      int before = cluster.jobsQueued();
      engine.tick();
      if (disk.full) {
        assertThat(cluster.jobsQueued()).isEqualTo(before);
        failures += engine.storageFailure().isPresent() ? 1 : 0;
      }
      clock.advance(Duration.ofSeconds(20));
    }

    assertThat(failures).isPositive();
    assertThat(engine.state().isFinished()).isTrue();
    assertThat(engine.state().trials().values()).noneMatch(t -> t.isOpen());
    assertThat(cluster.jobsByName().values()).allMatch(n -> n == 1);
    assertThat(SweepState.fold(disk.entries)).isEqualTo(engine.state());
  }
}
