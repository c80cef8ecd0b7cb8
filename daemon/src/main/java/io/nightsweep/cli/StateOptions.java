package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which daemon, and which of its sweeps. */
final class StateOptions {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Where the daemon and its sweeps live (default: $NIGHTSWEEP_STATE, else the XDG one).")
  private @Nullable Path state;

  @Option(
      names = "--sweep",
      paramLabel = "ID",
      description = "Which sweep (default: the one that runs, else the latest).")
  private @Nullable String sweep;

  StateDirectory directory() {
    return StateDirectory.resolve(Optional.ofNullable(state), System.getenv());
  }

  DaemonClient client() {
    return new DaemonClient(directory());
  }

  /** A sweep by its folded journal; no daemon is needed to look. */
  Chosen chosen() throws IOException, CliException {
    List<Chosen> all = new ArrayList<>();
    for (SweepDirectory d : directory().all()) {
      if (sweep == null || d.id().equals(sweep)) {
        all.add(new Chosen(d, JournalReader.fold(d.journal())));
      }
    }
    return all.stream()
        .max(
            Comparator.<Chosen, Boolean>comparing(c -> !c.state().isFinished())
                .thenComparing(c -> c.state().lastEventAt()))
        .orElseThrow(
            () ->
                new CliException(
                    ExitCode.NOT_FOUND,
                    sweep == null
                        ? "no sweep in "
                            + directory().root()
                            + "; start one: nightsweep start sweep.yaml"
                        : "no sweep '" + sweep + "' in " + directory().root()));
  }

  /** A sweep as its journal tells it. */
  record Chosen(SweepDirectory directory, SweepState state) {}
}
