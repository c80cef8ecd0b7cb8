package io.nightsweep.plan;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.sweep.JobId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers only a plan's question to a cluster: its nodes. Nothing can be submitted to it. */
public record FakeCluster(List<Node> all) implements Cluster {
  public static FakeCluster fourNodes() {
    return new FakeCluster(
        List.of(
            node("n1", Node.Availability.IDLE, "batch*"),
            node("n2", Node.Availability.BUSY, "batch*"),
            node("n3", Node.Availability.IDLE, "batch*", "gpu"),
            node("n4", Node.Availability.IDLE, "gpu")));
  }

  public static Node node(String name, Node.Availability availability, String... partitions) {
    return new Node(name, availability, availability.name(), "", List.of(partitions));
  }

  @Override
  public List<Node> nodes(Collection<String> names) {
    return all.stream().filter(n -> names.isEmpty() || names.contains(n.name())).toList();
  }

  @Override
  public JobId submit(Submission submission) {
    throw new AssertionError("nothing is started while a sweep file is read");
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> jobs) {
    throw new AssertionError();
  }

  @Override
  public Optional<JobId> find(JobHandle intent) {
    throw new AssertionError();
  }

  @Override
  public void cancel(JobHandle job) {
    throw new AssertionError();
  }

  @Override
  public String resumeNode(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own) {
    return List.of();
  }

  @Override
  public String describe() {
    return "four nodes";
  }
}
