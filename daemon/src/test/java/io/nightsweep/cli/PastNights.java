package io.nightsweep.cli;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Simulated nights, and sweeps with them in their journals. */
final class PastNights {
  private static final Map<Kind, List<Entry>> SIMULATED = new ConcurrentHashMap<>();

  private PastNights() {}

  /** A night of a few profiles, of which only p3 gains. */
  static List<Entry> ofFewProfiles(double gain, int seed) {
    return of(4, gain, seed);
  }

  static List<Entry> of(int profiles, double gain, int seed) {
    return of(profiles, gain, 0.002, seed);
  }

  /**
   * Simulated once per JVM.
   *
   * @param noise of one run, as a standard deviation of the logarithm
   */
  static List<Entry> of(int profiles, double gain, double noise, int seed) {
    return SIMULATED.computeIfAbsent(
        new Kind(profiles, gain, noise, seed),
        kind ->
            List.copyOf(
                Specs.night(
                        Specs.kernels(profiles, 60),
                        Specs.surface(gain, noise),
                        Duration.ofMinutes(2),
                        seed)
                    .run()
                    .entries()));
  }

  private record Kind(int profiles, double gain, double noise, int seed) {}

  /** Leaves a sweep of this name in the state of a daemon killed after the last entry. */
  static SweepDirectory leave(Path root, String id, List<Entry> entries) throws IOException {
    StateDirectory state = new StateDirectory(root);
    state.create();
    SweepDirectory sweep = state.sweep(id);
    Files.createDirectories(sweep.root());
    try (FileJournal journal = UnsyncedJournal.open(sweep.journal(), e -> {})) {
      for (Entry entry : entries) {
        Event event =
            entry.event() instanceof Event.SweepStarted s
                ? new Event.SweepStarted(id, s.seed(), s.spec())
                : entry.event();
        journal.append(entry.at(), List.of(event));
      }
    }
    return sweep;
  }
}
