package io.nightsweep.cli;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What earlier sweeps teach a rehearsal. */
final class Rehearsing {
  /** The latest ones; a state directory may hold hundreds. */
  private static final int SWEEPS_READ = 5;

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

  private static long modified(SweepDirectory sweep) {
    try {
      return Files.getLastModifiedTime(sweep.journal()).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }
}
