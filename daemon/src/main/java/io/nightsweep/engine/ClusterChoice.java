package io.nightsweep.engine;

import java.util.Map;
import java.util.Optional;

/**
 * Which cluster a sweep runs on; chosen once, when it starts.
 *
 * @param slurmConf where a Slurm other than this machine's default is configured
 */
public record ClusterChoice(Kind kind, Optional<String> slurmConf) {
  public enum Kind {
    SLURM,
    LOCAL
  }

  public static ClusterChoice of(Kind kind, Map<String, String> env) {
    return new ClusterChoice(
        kind,
        kind == Kind.SLURM
            ? Optional.ofNullable(env.get("SLURM_CONF")).filter(v -> !v.isEmpty())
            : Optional.empty());
  }
}
