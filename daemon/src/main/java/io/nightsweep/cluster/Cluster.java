package io.nightsweep.cluster;

import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where jobs run. One contract, held by Slurm and by the processes of this machine.
 *
 * <p>Every method may throw {@link ClusterUnreachableException}: the cluster gave no answer, which
 * says nothing about any job.
 */
public interface Cluster {
  /**
   * Queues a job on exactly the submission's nodes. The caller has journaled the intent; the job
   * claims it by the atomic create of {@link JobFiles#claim} before anything else. The directories
   * of {@link Submission#files} are created here.
   *
   * @throws SubmissionRefusedException where the cluster answered and queued nothing
   */
  JobId submit(Submission submission)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException;

  /**
   * Queues a job through a launcher that calls {@code sbatch} itself. The launcher's exit code
   * decides, not what it printed: some print a job's id and then find it dead.
   *
   * @throws SubmissionRefusedException where no job is alive of it
   */
  default JobId submit(LauncherSubmission submission)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    throw new SubmissionRefusedException(
        "a launcher that calls sbatch needs a Slurm cluster; this one is none");
  }

  /**
   * The state of all the given jobs by one query of the queue, however many they are; jobs that
   * have left the queue are looked up in their exit records and in the cluster's books. A job that
   * no source knows is {@link JobStatus.Unknown}: neither success nor failure. So is one whose id
   * the cluster gave to another job, as a controller does that lost the first.
   */
  Map<JobHandle, JobStatus> observe(Collection<JobHandle> jobs)
      throws ClusterUnreachableException, InterruptedException;

  /**
   * The job of an intent whose submission's outcome is unknown, looked up by its unique name in the
   * queue, the accounting and the job's claim.
   */
  Optional<JobId> find(JobHandle intent) throws ClusterUnreachableException, InterruptedException;

  /** Asks for the job's end; no error where it has ended already. Touches no other job. */
  void cancel(JobHandle job) throws ClusterUnreachableException, InterruptedException;

  /** Nodes by name in the cluster's order: the named ones, or all where {@code names} is empty. */
  List<Node> nodes(Collection<String> names)
      throws ClusterUnreachableException, InterruptedException;

  /**
   * Asks that a node which was set aside serve again; whether it does, {@link #nodes} tells later.
   *
   * @return what the cluster said, empty where it said nothing
   */
  String resumeNode(String name) throws ClusterUnreachableException, InterruptedException;

  /** Other people's jobs, queued or running, on any of the named nodes. */
  List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own)
      throws ClusterUnreachableException, InterruptedException;

  /** Whether each node is a host of its own; not so where one machine stands for several. */
  default boolean nodesAreHosts() {
    return true;
  }

  /**
   * How many CPUs a job's ranks share, however many they are; absent where the cluster gives each
   * rank CPUs of its own, or refuses the job.
   */
  default OptionalInt sharedCpus() {
    return OptionalInt.empty();
  }

  /** What its machines are, for the report's header; empty where the cluster does not say. */
  default List<Fact> hardware() {
    return List.of();
  }

  /** The cluster's kind, name and version for the report's header. */
  String describe() throws ClusterUnreachableException, InterruptedException;

  /**
   * @param why the reason text the cluster gives for a node that is not usable, or empty
   * @param partitions the default one marked with a trailing {@code *}, as {@code sinfo} does
   */
  record Node(
      String name, Availability availability, String state, String why, List<String> partitions) {
    public enum Availability {
      IDLE,
      BUSY,
      UNUSABLE
    }

    /** Whether the node does not answer or boots, by the marks of sinfo(1), "NODE STATE CODES". */
    public boolean isAway() {
      return availability == Availability.UNUSABLE
          && (state.endsWith("*") || state.endsWith("#") || state.endsWith("^"));
    }

    /** Whether the node is down or does not answer; one that is drained still serves its job. */
    public boolean isLost() {
      return availability == Availability.UNUSABLE
          && (state.startsWith("down") || state.endsWith("*"));
    }
  }

  record ForeignJob(JobId job, String user, String name) {}
}
