package io.nightsweep.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job to queue.
 *
 * @param jobName unique; readable part first
 * @param comment follows the name in the job's comment, for people who look at the queue
 * @param nodes the pinned nodelist, the same in every submission
 * @param tasks ranks over all nodes
 * @param perTask CPUs and GPUs of each rank
 * @param timeLimit the cluster ends the job after this
 * @param env exported to the payload last; nothing else of the daemon's environment is passed on
 * @param payload lines of bash that the wrapper runs once per job, on the first node
 * @param workingDirectory where the payload starts
 */
public record Submission(
    String jobName,
    String comment,
    List<String> nodes,
    Optional<String> partition,
    int tasks,
    PerTask perTask,
    Duration timeLimit,
    Map<String, String> env,
    String payload,
    Path workingDirectory,
    JobFiles files) {
  public Submission {
    nodes = List.copyOf(nodes);
    env = Map.copyOf(env);
  }
}
