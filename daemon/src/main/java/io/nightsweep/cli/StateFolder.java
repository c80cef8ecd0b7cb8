package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that selects a daemon by its state folder. */
final class StateFolder {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Where the daemon and its sweeps live (default: $NIGHTSWEEP_STATE, else $XDG_STATE_HOME/nightsweep, else ~/.local/state/nightsweep).")
  private @Nullable Path state;

  StateDirectory directory() {
    return StateDirectory.resolve(Optional.ofNullable(state), System.getenv());
  }

  DaemonClient client() {
    return new DaemonClient(directory());
  }
}
