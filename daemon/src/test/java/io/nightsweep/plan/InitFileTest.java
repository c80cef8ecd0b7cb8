package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.StartingValues;
import io.nightsweep.workload.Workloads;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("sweep")
class InitFileTest {
  private static final ZonedDateTime EVENING = ZonedDateTime.parse("2026-03-02T19:00:00+01:00");

  static List<String> workloads() {
    return List.copyOf(InitFile.workloads());
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void theStartingFileIsValidAsItStands(String workload) throws Exception {
    String text = InitFile.text(FakeCluster.fourNodes(), workload, values(workload));
    assertThat(text).contains("partitions: batch*, gpu", "n2", "BUSY").doesNotContain("{{");
    SweepSpec spec = resolve(text, FakeCluster.fourNodes());
    assertThat(spec.cell().nodes()).containsExactly("n1", "n3");
    assertThat(spec.workload()).isEqualTo(workload);
    assertThat(spec.plan().waves()).isNotEmpty();
  }

  @Test
  void aBusyClusterGetsAFileThatAsksForIdleNodes() throws Exception {
    FakeCluster busy =
        new FakeCluster(List.of(FakeCluster.node("n1", Node.Availability.UNUSABLE, "batch*")));
    String text = InitFile.text(busy, "kernels", values("kernels"));
    assertThat(text).contains("slot: {nodes: 2}  # no node is idle now");
    SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml")));
  }

  @Test
  void whatAClusterSaysStaysInTheComment() throws Exception {
    FakeCluster hostile =
        new FakeCluster(
            List.of(
                new Node(
                    "n1",
                    Node.Availability.UNUSABLE,
                    "down",
                    "broken\nplan: evil\u0007 {{slot}}",
                    List.of("batch\nmodel: x")),
                FakeCluster.node("bad\nname: x", Node.Availability.IDLE)));
    String text = InitFile.text(hostile, "kernels", values("kernels"));
    assertThat(text.lines()).noneMatch(l -> l.startsWith("plan: evil") || l.startsWith("model: x"));
    SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml")));
  }

  private static StartingValues values(String workload) throws InterruptedException {
    return Workloads.find(workload)
        .orElseThrow()
        .starting(Optional.empty(), CommandRunner.direct(Map.of()));
  }

  private static SweepSpec resolve(String text, FakeCluster cluster) throws Exception {
    return SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml")))
        .resolve(cluster, Prompter.nobody(), EVENING);
  }
}
