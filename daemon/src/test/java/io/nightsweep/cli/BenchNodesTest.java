package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.cluster.Cluster.Node.Availability;
import java.io.PrintWriter;
import java.io.StringWriter;
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

  @Test
  void whatNoStudyCanBeIsRefusedBeforeAnythingRuns() {
    for (String scale : List.of("0", "-3", "1048577")) {
      assertThat(refused("bench", "gemm", "--scale=" + scale))
          .contains("--scale is " + scale + "; expected 1 to 1048576");
    }
    assertThat(refused("bench", "pairs", "--nodes=n1,n2,n1"))
        .contains("--nodes names a node twice: [n1, n2, n1]");
  }

  private static String refused(String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter both = new PrintWriter(said);
    assertThat(Main.run(both, both, arguments)).isEqualTo(ExitCode.USAGE);
    return said.toString();
  }

  private static Node node(String name, Availability availability, String... partitions) {
    return new Node(name, availability, "", "", List.of(partitions));
  }
}
