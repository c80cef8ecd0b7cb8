package io.nightsweep.cluster;

import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where jobs run: a common contract for Slurm and for processes of this machine.
 *
 * <p>Every method may throw {@link ClusterUnreachableException}: the cluster did not answer, which
 * says nothing about any job.
 */
public interface Cluster {
  /**
   * Queues a job on exactly the submission's nodes. The caller has journaled the intent; the job's
   * first act is to claim it by creating {@link JobFiles#claim} atomically. This method creates the
   * directories of {@link Submission#files}.
   *
   * @throws SubmissionRefusedException where the cluster answered and queued nothing
   */
  JobId submit(Submission submission)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException;

  /**
   * Queues a job through a launcher that calls {@code sbatch} itself. The launcher's exit code
   * decides and not its output: some launchers print a job's id and then find the job dead.
   *
   * @throws SubmissionRefusedException where no job of it is alive
   */
  default JobId submit(LauncherSubmission submission)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    throw new SubmissionRefusedException(
        "a launcher that calls sbatch needs a Slurm cluster; this is not one");
  }

  /**
   * The state of all given jobs with a single query of the queue. Jobs that have left the queue are
   * looked up in their exit records and in the cluster's accounting. A job that no source knows is
   * {@link JobStatus.Unknown}, which means neither success nor failure. The same holds where the
   * cluster gave its id to another job, as a controller does after it lost the first job.
   */
  Map<JobHandle, JobStatus> observe(Collection<JobHandle> jobs)
      throws ClusterUnreachableException, InterruptedException;

  /**
   * Finds the job of an intent if it is unknown whether the submission succeeded, by its unique
   * name in the queue, the accounting and the job's claim.
   */
  Optional<JobId> find(JobHandle intent) throws ClusterUnreachableException, InterruptedException;

  /** Requests the job's end; no error where it has ended already. Touches no other job. */
  void cancel(JobHandle job) throws ClusterUnreachableException, InterruptedException;

  /** Nodes by name in the cluster's order: the named ones, or all where {@code names} is empty. */
  List<Node> nodes(Collection<String> names)
      throws ClusterUnreachableException, InterruptedException;

  /**
   * Requests that a node which was set aside returns to service; {@link #nodes} shows later whether
   * it did.
   *
   * @return the cluster's message; may be empty
   */
  String resumeNode(String name) throws ClusterUnreachableException, InterruptedException;

  /** Other people's jobs, queued or running, on any of the named nodes. */
  List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own)
      throws ClusterUnreachableException, InterruptedException;

  /** Whether each node is a separate host; false where one machine stands for several nodes. */
  default boolean nodesAreHosts() {
    return true;
  }

  /**
   * How many CPUs all ranks of a job share; absent where the cluster gives each rank its own CPUs,
   * or else refuses the job.
   */
  default OptionalInt sharedCpus() {
    return OptionalInt.empty();
  }

  /** The machines' hardware, for the report's header; may be empty. */
  default List<Fact> hardware() {
    return List.of();
  }

  /** The cluster's kind, name and version for the report's header. */
  String describe() throws ClusterUnreachableException, InterruptedException;

  /**
   * @param why the cluster's reason for an unusable node, or empty
   * @param partitions the default one marked with a trailing {@code *}, as in {@code sinfo}
   */
  record Node(
      String name, Availability availability, String state, String why, List<String> partitions) {
    public enum Availability {
      IDLE,
      BUSY,
      UNUSABLE
    }

    /**
     * Whether the node does not answer or is booting, by the marks of sinfo(1), "NODE STATE CODES".
     */
    public boolean isAway() {
      return availability == Availability.UNUSABLE
          && (state.endsWith("*") || state.endsWith("#") || state.endsWith("^"));
    }

    /** Whether the node is down or does not answer; a drained node still runs its job. */
    public boolean isLost() {
      return availability == Availability.UNUSABLE
          && (state.startsWith("down") || state.endsWith("*"));
    }
  }

  record ForeignJob(JobId job, String user, String name) {}
}
