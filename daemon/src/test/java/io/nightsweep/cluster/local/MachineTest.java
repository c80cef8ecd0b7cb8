package io.nightsweep.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report says about the machine on which processes were measured. */
@Tag("people")
class MachineTest {
  @TempDir private Path proc;

  @Test
  void theProcessorIsNamedByItsModelAndTheMemoryInGib() throws IOException {
    Files.writeString(
        proc.resolve("cpuinfo"),
        "processor\t: 0\n"
            + "vendor_id\t: AuthenticAMD\n"
            + "model name\t: AMD EPYC  7B13\n\n"
            + "processor\t: 1\n");
    Files.writeString(proc.resolve("meminfo"), "MemTotal:       24684388 kB\nMemFree: 1 kB\n");
    assertThat(Machine.facts(proc, 2))
        .containsExactly(
            new Fact("processor", "AMD EPYC 7B13, 2 CPUs", true),
            new Fact("memory", "23.5 GiB", true));
  }

  /** Two nodes on this machine are not two machines. */
  @Test
  void thatAllNodesAreThisMachineIsTold() {
    String cpus = Integer.toString(Runtime.getRuntime().availableProcessors());
    LocalCluster cluster = new LocalCluster(proc, List.of("n1", "n2"));
    assertThat(cluster.hardware()).contains(new Fact("shared CPUs", cpus, true));
    assertThat(cluster.describe())
        .isEqualTo(
            "local processes on 2 virtual nodes, which share this machine's CPUs (" + cpus + ")");
  }

  @Test
  void whatLinuxDoesNotTellIsAbsent() throws IOException {
    Files.writeString(proc.resolve("cpuinfo"), "processor\t: 0\nBogoMIPS\t: 50.00\n");
    assertThat(Machine.facts(proc, 1))
        .containsExactly(new Fact("processor", System.getProperty("os.arch") + ", 1 CPU", true));
  }
}
