package io.nightsweep.engine;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.Transport;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster that a sweep runs on; chosen once, when the sweep starts.
 *
 * @param slurmConf configuration of a Slurm other than this machine's default
 * @param transport the way to its commands; absent if they are on this machine
 */
public record ClusterChoice(Kind kind, Optional<String> slurmConf, Optional<Transport> transport) {
  public enum Kind {
    SLURM,
    LOCAL
  }

  public ClusterChoice(Kind kind, Optional<String> slurmConf) {
    this(kind, slurmConf, Optional.empty());
  }

  public static ClusterChoice of(Kind kind, Map<String, String> env) {
    return new ClusterChoice(
        kind,
        kind == Kind.SLURM
            ? Optional.ofNullable(env.get("SLURM_CONF")).filter(v -> !v.isEmpty())
            : Optional.empty());
  }

  /** The same cluster, reached in another way. */
  public ClusterChoice through(Transport way) {
    return new ClusterChoice(kind, slurmConf, Optional.of(way));
  }

  /** Runs commands on the machine from which jobs are submitted. */
  public CommandRunner submitHost() {
    return way().runner(Map.of());
  }

  Transport way() {
    return transport.orElse(Transport.DIRECT);
  }
}
