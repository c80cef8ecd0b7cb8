package io.nightsweep.cli;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What earlier sweeps teach a rehearsal. */
final class Rehearsing {
  /** The latest ones; a state directory may hold hundreds. */
  private static final int SWEEPS_READ = 5;

  private static final Duration QUICK = Duration.ofSeconds(1);
  private static final int QUICK_NIGHTS = 32;

  private Rehearsing() {}

  /** The latest first. */
  static List<SweepState> earlier(StateDirectory state) throws IOException {
    List<SweepDirectory> latest =
        state.all().stream()
            .sorted(Comparator.comparingLong(Rehearsing::modified).reversed())
            .limit(SWEEPS_READ)
            .toList();
    List<SweepState> states = new ArrayList<>();
    for (SweepDirectory sweep : latest) {
      try {
        states.add(JournalReader.fold(sweep.journal()));
      } catch (IOException e) {
        // What cannot be read teaches nothing; 'status' says what is wrong with it.
      }
    }
    return states;
  }

  /**
   * One line on what is ahead of a sweep that starts; empty where the machine is too slow to tell
   * in time, or the plan screens nothing.
   */
  static Optional<String> line(SweepSpec spec, StateDirectory state) {
    long end = System.nanoTime() + QUICK.toNanos();
    CompletableFuture<Optional<String>> line =
        CompletableFuture.supplyAsync(() -> quick(spec, state, end));
    return line.completeOnTimeout(Optional.empty(), 2 * QUICK.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(e -> Optional.empty())
        .join();
  }

  private static Optional<String> quick(SweepSpec spec, StateDirectory state, long end) {
    try {
      Assumptions assumptions =
          Assumptions.of(spec, earlier(state), Optional.empty(), Optional.empty());
      Rehearsal rehearsal = new Rehearsal(spec, assumptions, Instant.now(), 1);
      Rehearsed rehearsed = rehearsal.quickly(QUICK_NIGHTS, nights -> System.nanoTime() > end);
      return Optional.of(RehearsalText.line(rehearsed, rehearsal.expectedSmallestGain()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static long modified(SweepDirectory sweep) {
    try {
      return Files.getLastModifiedTime(sweep.journal()).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }
}
