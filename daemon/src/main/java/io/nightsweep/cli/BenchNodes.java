package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster;
import java.util.List;
import java.util.Optional;

/** Chooses the nodes of a study if the command names none. */
final class BenchNodes {
  /** How {@code sinfo} marks the default partition. */
  private static final String DEFAULT = "*";

  private BenchNodes() {}

  /**
   * Idle nodes of the named partition, else of the default one, so that a job's partition always
   * contains its nodes. A cluster without a default partition has no partitions at all.
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
