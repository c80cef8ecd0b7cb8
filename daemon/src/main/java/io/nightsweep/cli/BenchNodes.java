package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster;
import java.util.List;
import java.util.Optional;

/** Which nodes a study may be pinned to where the command names none. */
final class BenchNodes {
  /** How {@code sinfo} marks the partition of jobs that name none. */
  private static final String DEFAULT = "*";

  private BenchNodes() {}

  /**
   * Idle nodes of the partition, else of the default one: a job is never queued to a partition that
   * lacks its nodes. A cluster that has no default partition has no partitions at all.
   */
  static List<String> idle(List<Cluster.Node> nodes, Optional<String> partition) {
    boolean hasDefault =
        nodes.stream().flatMap(n -> n.partitions().stream()).anyMatch(p -> p.endsWith(DEFAULT));
    return nodes.stream()
        .filter(n -> n.availability() == Cluster.Node.Availability.IDLE)
        .filter(
            n ->
                partition.isPresent()
                    ? n.partitions().stream()
                        .anyMatch(p -> p.replace(DEFAULT, "").equals(partition.get()))
                    : !hasDefault || n.partitions().stream().anyMatch(p -> p.endsWith(DEFAULT)))
        .map(Cluster.Node::name)
        .toList();
  }
}
