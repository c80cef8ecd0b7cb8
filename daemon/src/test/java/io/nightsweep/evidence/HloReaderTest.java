package io.nightsweep.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.evidence.Collective.Pairing;
import io.nightsweep.sweep.CollectiveRoute.Reach;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("xla")
class HloReaderTest {
  private static final long MIB = 1 << 20;

  @Test
  void aRealModuleOfFourCpuDevicesIsUnderstood() throws Exception {
    HloReading module =
        Samples.whole(
            HloReader.read(
                Samples.file("module.jit_train_step.cpu_after_optimizations.txt.gz"), 2));
    assertThat(module.loops()).isEqualTo(2);
    Collective gather = module.of(CollectiveKind.ALL_GATHER).getFirst();
    // f32[256,256] in four parts, once in each of the four layers; JAX names it after itself.
    assertThat(gather.name()).startsWith("all_gather");
    assertThat(gather.bytes()).isEqualTo(256 * 256 * 4);
    assertThat(gather.groupSize()).isEqualTo(4);
    assertThat(gather.receivedBytesPerStep())
        .as("three of the four parts come from other devices")
        .isEqualTo(gather.count() * Math.max(1, gather.runs().orElse(1)) * 0.75 * gather.bytes());
    assertThat(gather.inLoop()).isTrue();
    assertThat(gather.runs()).hasValue(4);
    assertThat(gather.blocks()).isTrue();
    assertThat(module.of(CollectiveKind.REDUCE_SCATTER)).hasSize(1);
    assertThat(module.of(CollectiveKind.COLLECTIVE_PERMUTE))
        .hasSize(2)
        .allMatch(Collective::inLoop);
    assertThat(module.of(CollectiveKind.ALL_REDUCE).getFirst().inLoop()).isFalse();
    assertThat(module.names().collectives())
        .containsValue(new Route(CollectiveKind.COLLECTIVE_PERMUTE, Reach.BETWEEN_NODES));
    assertThat(module.names().containers()).hasSize(2);
  }

  @Test
  void pairsOfAGpuModuleAreToldApart() throws Exception {
    HloReading module = gpu();
    Collective gather = module.of(CollectiveKind.ALL_GATHER).getFirst();
    assertThat(gather.bytes()).isEqualTo(2 * 8192L * 1024 * 2);
    assertThat(gather.operands()).isEqualTo(2);
    assertThat(gather.pairing()).isEqualTo(Pairing.SAME_ITERATION);
    assertThat(gather.overlapped()).isEqualTo(2);
    assertThat(gather.sync()).isFalse();
    assertThat(gather.dependencies()).containsExactly("queues 1");
    assertThat(gather.frontendAttributes())
        .isEqualTo(Map.of("_scheduling_group_id", "*", "_xla_async", "{a=\"x,y\"}"));
    // Inside the layers' loop of 7, inside the stages' loop of 3.
    assertThat(gather.runs()).hasValue(21);

    Collective sync = collective(module, "collective-permute-start.5");
    assertThat(sync.sync()).isTrue();
    assertThat(sync.blocks()).isTrue();
    assertThat(sync.bytes()).isEqualTo(64 * 1024 * 2);
    assertThat(sync.groupSize()).isEqualTo(8);
    assertThat(sync.dependencies()).containsExactly("all-gather-done.2");
    assertThat(sync.overlapped()).isZero();

    Collective crossing = collective(module, "collective-permute-start.9");
    assertThat(crossing.pairing()).isEqualTo(Pairing.CROSS_ITERATION);
    assertThat(crossing.pipelined()).isTrue();
    assertThat(crossing.runs()).hasValue(3);
  }

  @Test
  void aGenericAsyncStartTakesItsKindFromWhatItCalls() throws Exception {
    assertThat(gpu().of(CollectiveKind.REDUCE_SCATTER))
        .singleElement()
        .satisfies(
            c -> {
              assertThat(c.name()).isEqualTo("reduce-scatter-start.1");
              assertThat(c.bytes()).isEqualTo(MIB / 4);
              assertThat(c.groupSize()).isEqualTo(8);
              assertThat(c.pairing()).isEqualTo(Pairing.SAME_ITERATION);
              assertThat(c.overlapped()).isEqualTo(1);
              assertThat(c.pipelined()).isTrue();
            });
  }

  @Test
  void anAllReducesStartHasTheResultsTypeAlone() throws Exception {
    Collective reduce = gpu().of(CollectiveKind.ALL_REDUCE).getFirst();
    assertThat(reduce.bytes()).isEqualTo(64 * 1024 * 4 + 4);
    assertThat(reduce.groupSize()).isEqualTo(4);
    assertThat(reduce.receivedBytesPerStep())
        .isEqualTo(reduce.count() * Math.max(1, reduce.runs().orElse(1)) * 1.5 * reduce.bytes());
    assertThat(reduce.inLoop()).isFalse();
    assertThat(reduce.runs()).hasValue(1);
  }

  /** Eight devices on two nodes, in every form in which XLA writes groups. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replica_groups={{0,1,2,3},{4,5,6,7}} | INSIDE_NODES",
        "replica_groups={{0,4},{1,5},{2,6},{3,7}} | BETWEEN_NODES",
        "replica_groups={} | BETWEEN_NODES",
        "replica_groups=[4,2]<=[8] | INSIDE_NODES",
        "replica_groups=[1,8]<=[8] | BETWEEN_NODES",
        "replica_groups=[2,4]<=[4,2]T(1,0) | BETWEEN_NODES",
        "replica_groups=[4,2]<=[2,2,2]T(0,2,1) | INSIDE_NODES",
        "replica_groups=[4,2]<=[3,2]T(1,0) | UNKNOWN",
        "replica_groups={{0,9}} | UNKNOWN",
        "source_target_pairs={{0,1},{1,0},{4,5}} | INSIDE_NODES",
        "source_target_pairs={{0,4},{4,0}} | BETWEEN_NODES"
      })
  void whetherAGroupIsOnOneNodeIsTold(String groups, Reach reach) {
    HloInstruction gather =
        HloInstruction.parse(
                "  %g.1 = f32[8]{0} all-gather(%p.0), channel_id=1, "
                    + groups
                    + ", dimensions={0}, use_global_device_ids=true")
            .orElseThrow();
    assertThat(new DeviceGroups(8, 2).of(gather)).isEqualTo(reach);
    assertThat(new DeviceGroups(8, 3).of(gather))
        .as("devices that the nodes do not divide")
        .isEqualTo(Reach.UNKNOWN);
  }

  /** Wherever the dump is cut, the answer says so; no position causes an exception. */
  @Test
  void aDumpCutAnywhereIsUnreadableAndSaysWhere(@TempDir Path directory) throws Exception {
    byte[] whole =
        Files.readAllBytes(Samples.file("module.jit_train_step.gpu_after_optimizations.txt"));
    Path file = directory.resolve("cut.txt");
    int entryEnd = new String(whole, StandardCharsets.UTF_8).lastIndexOf('}');
    for (int cut = 0; cut < entryEnd; cut += 97) {
      Files.write(file, Arrays.copyOf(whole, cut));
      Outcome<HloReading> outcome = HloReader.read(file, 2);
      assertThat(outcome).as("cut at %d", cut).isInstanceOf(Outcome.Unreadable.class);
    }
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertThat(Samples.unreadable(HloReader.read(file, 2)))
        .contains("cut off at byte " + whole.length / 2)
        .contains("inside the computation layer_body.11")
        .contains("expected the text of a whole HLO module");
  }

  @Test
  void whatIsNoHloTextIsSaidToBeNone(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(directory.resolve("a.txt"), "Traceback (most recent call last):\n");
    assertThat(Samples.unreadable(HloReader.read(file, 2))).contains("it is not an HLO text");
    assertThat(Samples.unreadable(HloReader.read(Files.writeString(file, ""), 2)))
        .contains("it is empty");
    assertThat(Samples.unreadable(HloReader.read(directory.resolve("none.txt"), 2)))
        .contains("it cannot be read");
  }

  private static HloReading gpu() throws Exception {
    return Samples.whole(
        HloReader.read(Samples.file("module.jit_train_step.gpu_after_optimizations.txt"), 2));
  }

  private static Collective collective(HloReading module, String name) {
    return module.collectives().stream()
        .filter(c -> c.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
