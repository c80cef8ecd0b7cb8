package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.StepEnd;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("guard")
class NodeEvidenceTest {
  /** The cut falls inside the secret, and the rest of it has no recognisable form. */
  @Test
  void aNodesWordsAreMaskedBeforeTheyAreCut() {
    for (int rest = 0; rest < 30; rest++) {
      String text = "HF_TOKEN=hf_" + "canary".repeat(6) + " " + "x".repeat(1_965 + rest);
      assertThat(NodeEvidence.printable(text)).contains("xxx").doesNotContain("canary");
    }
    assertThat(NodeEvidence.printable("x".repeat(70_000))).hasSize(2_003);
  }

  @Test
  void aNodesWordsMoveNoCursor() {
    assertThat(NodeEvidence.printable("a\u001b[2Jb\nc")).isEqualTo("a\uFFFD[2Jb\nc");
  }

  @Test
  void aFaultBeforeTheJobIsNone() throws Exception {
    String fault = "00:00,000000+00:00 NVRM: Xid (PCI:0000:c1:00): 79, GPU has fallen off\n";
    for (String at : List.of("2020-01-01T00:", "2099-01-01T00:")) {
      StepEnd outcome =
          new NodeEvidence((words, timeout) -> new CommandRunner.Output(0, at + fault, ""))
              .faults(List.of("n1"), attempt(), step());
      assertThat(outcome.succeeded()).isEqualTo(at.startsWith("2020"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ionic 0000:41:00.0: Link down",
        "ionic 0000:41:00.0 enp65s0: (5) FW reset",
        "ionic_rdma ionic_0: modify_qp error, cqe with error",
        "infiniband mlx5_0: wait_for_async_commands: timed out",
        "mlx5_0:dump_cqe:278:(pid 0): dump error cqe",
        "mlx5_core 0000:12:00.0: NETDEV WATCHDOG: CPU: 8: transmit queue 0 timed out",
        "NETDEV WATCHDOG: ens1f0np0 (mlx5_core): transmit queue 0 timed out"
      })
  void aDriversLineIsAWitness(String line) throws Exception {
    assertThat(nicFaults(line)).containsExactly("n1");
  }

  /** A job chooses its processes' names and can make the kernel print them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ionic_0[4242]: segfault at 0 ip 000055d sp 00007ff error 4 in x[55d+1000]",
        "ionic 0000:41:0[4242]: segfault at 0 ip 000055d sp 00007ff error 4",
        "traps: mlx5_0 err[42] general protection fault ip:55d sp:7ff error:0 in x",
        "ib_write_bw[77]: segfault at 8 ip 000055d sp 00007ff error 6 in ib_write_bw",
        "ionic ionic_0: page allocation failure: order:10, mode:0xcc0",
        "NETDEV WATCHDOG: potentially unexpected fatal signal 11.",
        "mlx5 link down: potentially unexpected fatal signal 6.",
        "Out of memory: Killed process 77 (ionic reset) total-vm:1kB",
        "CPU: 3 PID: 77 Comm: mlx5 timed out Tainted: G",
        "nvme 0000:01:00.0: controller is down; will reset",
        "ionic 0000:41:00.0: Link up - 100 Gbps"
      })
  void aProcessOfAJobIsNoWitness(String line) throws Exception {
    assertThat(nicFaults(line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu hang[77]: segfault at 0 ip 000055d sp 00007ff error 4 in x",
        "NVRM: Xid[77]: segfault at 0 ip 000055d sp 00007ff error 4 in x",
        "gpu reset: potentially unexpected fatal signal 11.",
        "Out of memory: Killed process 77 (gpu hang) total-vm:1kB"
      })
  void aProcessOfAJobIsNoFaultOfTheHardware(String line) throws Exception {
    assertThat(evidence(line).faults(List.of("n1"), attempt(), step()).succeeded()).isTrue();
    assertThat(
            evidence("NVRM: Xid (PCI:0000:c1:00): 79, pid=77, name=python3, GPU has fallen off")
                .faults(List.of("n1"), attempt(), step())
                .succeeded())
        .isFalse();
  }

  private static List<String> nicFaults(String line) throws Exception {
    return evidence(line).nicFaults(List.of("n1"), attempt(), step());
  }

  private static NodeEvidence evidence(String line) {
    return new NodeEvidence(
        (words, timeout) ->
            new CommandRunner.Output(0, "2099-01-01T00:00:00,000000+00:00 " + line + "\n", ""));
  }

  private static AttemptState attempt() {
    return RemedyActionsTest.attempt();
  }

  private static Remedy.RemedyStep step() {
    return new Remedy.RemedyStep(
        "check-dmesg",
        new TreeMap<>(),
        Duration.ofMinutes(1),
        Optional.empty(),
        1,
        Remedy.Then.HALT);
  }
}
