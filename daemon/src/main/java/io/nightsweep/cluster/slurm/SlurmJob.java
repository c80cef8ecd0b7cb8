package io.nightsweep.cluster.slurm;

import io.nightsweep.cluster.Hostlist;
import io.nightsweep.sweep.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job as one of Slurm's commands reports it.
 *
 * @param exitCode 0 where not known
 * @param nodelist in Slurm's bracket notation: allocated nodes, or before the start the requested
 *     ones
 */
record SlurmJob(
    JobId id,
    String name,
    SlurmState state,
    int exitCode,
    Optional<Instant> start,
    Optional<Instant> end,
    String nodelist,
    String reason) {

  /** The names of the job's nodes; a list that cannot be parsed counts as one name. */
  List<String> nodes() {
    try {
      return nodelist.isBlank() || nodelist.equals("(null)") ? List.of() : Hostlist.parse(nodelist);
    } catch (Hostlist.SyntaxException e) {
      return List.of(nodelist);
    }
  }
}
