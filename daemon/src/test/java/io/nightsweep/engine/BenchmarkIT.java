package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Replay;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures for BENCHMARKS.md, on demand: {@code mvn -B test -Dgroups=bench -DexcludedGroups=}. */
@Tag("bench")
class BenchmarkIT {
  @Test
  void replayOfAHundredThousandEvents(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("journal.jsonl");
    List<Entry> night = longNight();
    try (FileJournal journal = FileJournal.open(file, new Replay())) {
      List<Event> events = new ArrayList<>();
      night.forEach(e -> events.add(e.event()));
      SweepState end = SweepState.fold(night);
      var running = end.attempts().findFirst().orElseThrow().id();
      while (events.size() < 100_000) {
        events.add(new Event.AttemptProgressed(running, events.size() % 15, 15));
      }
      journal.append(Instant.now(), events);
    }
    for (int run = 0; run < 5; run++) {
      long start = System.nanoTime();
      SweepState state = JournalReader.fold(file);
      System.out.printf(
          "replay of %d events: %.0f ms (run %d)%n",
          state.seq(), (System.nanoTime() - start) / 1e6, run + 1);
    }
  }

  @Test
  void residentMemoryOfADaemonWithAThousandAttempts(@TempDir Path directory) throws Exception {
    StateDirectory state = new StateDirectory(directory.resolve("state"));
    state.create();
    SweepDirectory sweep = state.sweep("long");
    Files.createDirectories(sweep.root());
    List<Event> events = new ArrayList<>();
    for (Entry e : longNight()) {
      if (!(e.event() instanceof Event.SweepFinished)) {
        events.add(e.event());
      }
    }
    events.add(
        new Event.CommandAccepted(
            new Command.Pause(), new Command.Origin(Command.Origin.Door.DAEMON, "bench")));
    try (FileJournal journal = FileJournal.open(sweep.journal(), new Replay())) {
      journal.append(Instant.now(), events);
    }
    new SweepOrigin(ClusterChoice.of(ClusterChoice.Kind.LOCAL, Map.of()), "bench", "bench")
        .write(sweep);
    SweepState before = JournalReader.fold(sweep.journal());
    assertThat(before.phase()).isInstanceOf(Phase.Paused.class);
    try (DaemonProcess daemon =
        DaemonProcess.start(state.root(), Path.of(".."), directory.resolve("log"))) {
      Thread.sleep(10_000);
      assertThat(daemon.isAlive()).isTrue();
      System.out.printf(
          "resident memory with %d attempts: %d MiB%n",
          before.attempts().count(), daemon.residentMebibytes());
    }
  }

  /** Forty profiles and a thousand attempts, most of them flaky failures that are retried. */
  private static List<Entry> longNight() {
    return new Night(
            Specs.patient(Specs.kernels(40, 1_000)),
            Specs.surface(0.05, 0.005),
            Faults.none().with(Faults.Kind.JOB_FAILS, 0.93),
            Duration.ofSeconds(20),
            5)
        .run()
        .entries();
  }
}
