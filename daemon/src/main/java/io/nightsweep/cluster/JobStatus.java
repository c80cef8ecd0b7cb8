package io.nightsweep.cluster;

import io.nightsweep.sweep.JobEnd;
import java.time.Instant;
import java.util.List;

/** What is known of a job at one look. */
public sealed interface JobStatus {
  /**
   * @param reason the cluster's word for why it waits, such as {@code Resources}
   * @param forWantOfNodes whether the reason speaks of nodes that cannot be had now
   */
  record Pending(String reason, boolean forWantOfNodes) implements JobStatus {}

  record Running(Instant startedAt, List<String> nodes) implements JobStatus {}

  /** Its payload has ended or is being ended; the nodes are not free yet. */
  record Completing() implements JobStatus {}

  /**
   * @param nodes those that it ran on, where the source that told the end knows them
   */
  record Ended(JobEnd end, List<String> nodes) implements JobStatus {
    public Ended {
      nodes = List.copyOf(nodes);
    }
  }

  /** No source knows the job now; the caller decides after how long that means it vanished. */
  record Unknown(String detail) implements JobStatus {}
}
