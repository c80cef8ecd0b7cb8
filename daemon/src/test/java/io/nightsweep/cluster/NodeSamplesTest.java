package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.sweep.NodeStrain.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How nodes' samples are read, also when a job writes something else instead. */
@Tag("hours")
class NodeSamplesTest {
  @TempDir private Path folder;

  @Test
  void figuresAreOfTheTimeFromTheFirstSampleToTheLast() throws Exception {
    NodeSamples told =
        NodeSamples.parse(
                """
                node=n2 cpus=4
                at=100.5 throttledMicroseconds=1000000 ticks=1000 stolenTicks=10 load=2.5 memoryKilobytes=1000 availableKilobytes=900 segmentsAgain=5 gpuMegahertz=900
                at=105 load=8 availableKilobytes=100 gpuMegahertz=2100 gpuCelsius=80
                at=110.5 throttledMicroseconds=6000000 ticks=5000 stolenTicks=410 load=1.00 memoryKilobytes=1000 availableKilobytes=800 segmentsAgain=25 linkErrors=7
                """)
            .orElseThrow();
    assertThat(told.node()).isEqualTo("n2");
    assertThat(told.figures())
        .hasEntrySatisfying(Kind.THROTTLED, v -> assertThat(v).isCloseTo(0.5, within(1e-9)))
        .hasEntrySatisfying(Kind.STOLEN, v -> assertThat(v).isCloseTo(0.1, within(1e-9)))
        .hasEntrySatisfying(Kind.LOADED, v -> assertThat(v).isCloseTo(2, within(1e-9)))
        .hasEntrySatisfying(Kind.SHORT_OF_MEMORY, v -> assertThat(v).isCloseTo(0.1, within(1e-9)))
        .hasEntrySatisfying(Kind.RETRANSMITS, v -> assertThat(v).isCloseTo(2, within(1e-9)))
        .containsEntry(Kind.GPU_CLOCK, 2100.0)
        .containsEntry(Kind.GPU_HEAT, 80.0)
        .doesNotContainKeys(Kind.LINK_ERRORS, Kind.OVERHEATED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "node=n2",
        "node=$(reboot) cpus=2\nat=1\nat=9",
        "node=n2 cpus=999999\nat=1\nat=9",
        "at=1\nat=2",
        "node=n2 cpus=0\nat=1\nat=9"
      })
  void whatIsNoHeadIsNothing(String text) {
    assertThat(NodeSamples.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node=n2 cpus=2",
        "node=n2 cpus=2\nat=5 throttledMicroseconds=1",
        "node=n2 cpus=2\nat=5 throttledMicroseconds=1\nat=5.2 throttledMicroseconds=9",
        "node=n2 cpus=2\nat=1 throttledMicroseconds=9\nat=9 throttledMicroseconds=1",
        "node=n2 cpus=2\nat=1 throttledMicroseconds=-1\nat=9 throttledMicroseconds=NaN",
        "node=n2 cpus=2\nat=1e9 throttledMicroseconds=1\nat=9e9 throttledMicroseconds=9",
        "node=n2 cpus=2\nat=9 throttledMicroseconds=1\nat=1 throttledMicroseconds=9"
      })
  void whatIsNoTimeOrNoGrowthIsNoFigure(String text) {
    assertThat(NodeSamples.parse(text).orElseThrow().figures()).isEmpty();
  }

  @Test
  void nodesThatAreNotPinnedAndSecondFilesOfOneNodeArePassedOver() throws Exception {
    JobFiles files = new JobFiles(folder);
    JobScript.watch(files);
    Files.writeString(files.samples(0), "node=n1 cpus=2\nat=1\nat=9\n");
    Files.writeString(files.samples(1), "node=elsewhere cpus=2\nat=1\nat=9\n");
    Files.writeString(files.samples(2), "node=n1 cpus=2\nat=1\nat=9\n");
    Files.createSymbolicLink(files.samples(3), files.samples(0));
    assertThat(NodeSamples.of(files, List.of("n1", "n2", "n3", "n4")))
        .extracting(NodeSamples::node)
        .containsExactly("n1");
  }

  /** A daemon has 192 MB, and a job can write two megabytes of samples per node. */
  @Test
  @Tag("guard")
  void millionsOfSamplesTakeNoRoom() throws Exception {
    JobFiles files = new JobFiles(folder);
    JobScript.watch(files);
    List<String> nodes = List.of("n0", "n1", "n2", "n3");
    for (int i = 0; i < nodes.size(); i++) {
      StringBuilder text = new StringBuilder("node=n" + i + " cpus=2\n");
      while (text.length() < (2 << 20) - 20) {
        text.append("at=").append(text.length()).append('\n');
      }
      Files.writeString(files.samples(i), text);
    }
    long before = held();
    List<NodeSamples> told = NodeSamples.of(files, nodes);
    assertThat(held() - before).isLessThan(16L << 20);
    assertThat(told).extracting(NodeSamples::node).isEqualTo(nodes);
  }

  @Test
  @Tag("guard")
  void aFileOfMoreThanSomeDaysOfSamplesIsNotRead() throws Exception {
    JobFiles files = new JobFiles(folder);
    JobScript.watch(files);
    Files.writeString(files.samples(0), "node=n0 cpus=2\nat=1\nat=9\n" + "x".repeat(2 << 20));
    Files.writeString(files.samples(1), "node=n1 cpus=2\nat=1\nat=9\n");
    assertThat(NodeSamples.of(files, List.of("n0", "n1")))
        .extracting(NodeSamples::node)
        .containsExactly("n1");
  }

  private static long held() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
