package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.LauncherSubmission;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sweep.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Measures the time of the queue's answers, so that a loaded controller is queried less often. */
final class MeteredCluster implements Cluster {
  private final Cluster cluster;
  private volatile Duration lastLatency = Duration.ZERO;

  MeteredCluster(Cluster cluster) {
    this.cluster = cluster;
  }

  /** How long the last query took, answered or not. */
  Duration lastLatency() {
    return lastLatency;
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> jobs)
      throws ClusterUnreachableException, InterruptedException {
    long start = System.nanoTime();
    try {
      return cluster.observe(jobs);
    } finally {
      lastLatency = Duration.ofNanos(System.nanoTime() - start);
    }
  }

  @Override
  public JobId submit(Submission submission)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    return cluster.submit(submission);
  }

  @Override
  public JobId submit(LauncherSubmission submission)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    return cluster.submit(submission);
  }

  @Override
  public Optional<JobId> find(JobHandle intent)
      throws ClusterUnreachableException, InterruptedException {
    return cluster.find(intent);
  }

  @Override
  public void cancel(JobHandle job) throws ClusterUnreachableException, InterruptedException {
    cluster.cancel(job);
  }

  @Override
  public List<Node> nodes(Collection<String> names)
      throws ClusterUnreachableException, InterruptedException {
    return cluster.nodes(names);
  }

  @Override
  public String resumeNode(String name) throws ClusterUnreachableException, InterruptedException {
    return cluster.resumeNode(name);
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own)
      throws ClusterUnreachableException, InterruptedException {
    return cluster.foreignJobs(nodeNames, own);
  }

  @Override
  public boolean nodesAreHosts() {
    return cluster.nodesAreHosts();
  }

  @Override
  public OptionalInt sharedCpus() {
    return cluster.sharedCpus();
  }

  @Override
  public String describe() throws ClusterUnreachableException, InterruptedException {
    return cluster.describe();
  }
}
