package io.nightsweep.cluster;

import io.nightsweep.sweep.JobEnd;
import java.time.Instant;
import java.util.List;

/** What one observation shows about a job. */
public sealed interface JobStatus {
  /**
   * @param reason the cluster's reason for the wait, such as {@code Resources}
   * @param forWantOfNodes whether the reason is that nodes are not available now
   */
  record Pending(String reason, boolean forWantOfNodes) implements JobStatus {}

  record Running(Instant startedAt, List<String> nodes) implements JobStatus {}

  /** Its payload has ended or is being ended; the nodes are not free yet. */
  record Completing() implements JobStatus {}

  /**
   * @param nodes on which it ran, if the source of the end knows them
   */
  record Ended(JobEnd end, List<String> nodes) implements JobStatus {
    public Ended {
      nodes = List.copyOf(nodes);
    }
  }

  /** No source knows the job now; the caller decides after how long it counts as vanished. */
  record Unknown(String detail) implements JobStatus {}
}
