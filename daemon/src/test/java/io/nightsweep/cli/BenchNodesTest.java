package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.cluster.Cluster.Node.Availability;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A study is pinned to idle nodes of its own partition. */
@Tag("kernels")
class BenchNodesTest {
  private static final List<Node> NODES =
      List.of(
          node("n1", Availability.IDLE, "batch*", "shared"),
          node("n2", Availability.BUSY, "batch*", "shared"),
          node("n3", Availability.IDLE, "gpu"),
          node("n4", Availability.IDLE, "shared"));

  @Test
  void nodesOfAnotherPartitionAreNotPicked() {
    assertThat(BenchNodes.idle(NODES, Optional.of("gpu"))).containsExactly("n3");
    assertThat(BenchNodes.idle(NODES, Optional.of("shared"))).containsExactly("n1", "n4");
    assertThat(BenchNodes.idle(NODES, Optional.of("batch"))).containsExactly("n1");
  }

  @Test
  void withoutAPartitionTheDefaultOneCounts() {
    assertThat(BenchNodes.idle(NODES, Optional.empty())).containsExactly("n1");
    assertThat(BenchNodes.idle(List.of(node("here", Availability.IDLE)), Optional.empty()))
        .containsExactly("here");
  }

  private static Node node(String name, Availability availability, String... partitions) {
    return new Node(name, availability, "", "", List.of(partitions));
  }
}
