package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.Transport;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.RealParts;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The place of this installation, and the cluster that the user's environment selects. */
final class Places {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private Places() {}

  /** The launcher sets it; a jar started directly uses the current directory. */
  static Path home() {
    return Optional.ofNullable(System.getenv("NIGHTSWEEP_HOME"))
        .map(Path::of)
        .orElse(Path.of(""))
        .toAbsolutePath();
  }

  static RealParts parts() {
    return new RealParts(home());
  }

  /** Who gets the daemon's messages, or why nobody does; empty where the daemon does not answer. */
  static Optional<String> chat(DaemonClient client) {
    try {
      return client.ask(new Request.Sweeps(), PATIENCE) instanceof Reply.Hosting hosting
          ? Optional.of(hosting.chat())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static ClusterChoice choice(ClusterChoice.Kind kind) {
    return ClusterChoice.of(kind, System.getenv());
  }

  static ClusterChoice choice(ClusterChoice.Kind kind, Optional<Transport> transport) {
    ClusterChoice here = choice(kind);
    return kind == ClusterChoice.Kind.SLURM ? transport.map(here::through).orElse(here) : here;
  }

  static Cluster cluster(ClusterChoice.Kind kind, StateDirectory state) {
    return parts().cluster(choice(kind), state);
  }
}
