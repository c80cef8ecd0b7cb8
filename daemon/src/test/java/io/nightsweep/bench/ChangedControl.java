package io.nightsweep.bench;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sweep.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A real cluster with a filesystem on which the control document is changed or missing when the job
 * starts.
 */
record ChangedControl(Cluster real, String text) implements Cluster {
  @Override
  public JobId submit(Submission submission)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    Path control = submission.files().output().resolve("control.json");
    try {
      Files.delete(control);
      if (!text.isEmpty()) {
        Files.writeString(control, text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return real.submit(submission);
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> jobs)
      throws ClusterUnreachableException, InterruptedException {
    return real.observe(jobs);
  }

  @Override
  public Optional<JobId> find(JobHandle intent)
      throws ClusterUnreachableException, InterruptedException {
    return real.find(intent);
  }

  @Override
  public void cancel(JobHandle job) throws ClusterUnreachableException, InterruptedException {
    real.cancel(job);
  }

  @Override
  public List<Node> nodes(Collection<String> names)
      throws ClusterUnreachableException, InterruptedException {
    return real.nodes(names);
  }

  @Override
  public String resumeNode(String name) throws ClusterUnreachableException, InterruptedException {
    return real.resumeNode(name);
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own)
      throws ClusterUnreachableException, InterruptedException {
    return real.foreignJobs(nodeNames, own);
  }

  @Override
  public boolean nodesAreHosts() {
    return real.nodesAreHosts();
  }

  @Override
  public String describe() throws ClusterUnreachableException, InterruptedException {
    return real.describe();
  }
}
