package io.nightsweep.cluster.slurm;

import io.nightsweep.cluster.Hostlist;
import io.nightsweep.sweep.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one of Slurm's commands says of a job.
 *
 * @param exitCode 0 where not known
 * @param nodelist in Slurm's bracket notation: what it has, or before its start what it asks for
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
