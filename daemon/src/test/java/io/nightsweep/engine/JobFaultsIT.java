package io.nightsweep.engine;

import static io.nightsweep.engine.Faults.P;
import static io.nightsweep.engine.Faults.assertDroppedAsFailed;
import static io.nightsweep.engine.Faults.assertGivenUp;
import static io.nightsweep.engine.Faults.assertStopped;
import static io.nightsweep.engine.Faults.diagnoses;
import static io.nightsweep.engine.Faults.incidents;
import static io.nightsweep.engine.Faults.profile;
import static io.nightsweep.engine.Faults.sideBySide;
import static io.nightsweep.engine.Faults.start;
import static io.nightsweep.engine.Faults.startWith;
import static io.nightsweep.engine.FaultyNight.steps;
import static io.nightsweep.engine.FaultyNight.story;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Faults of a job on the real Slurm lab, many in parallel on one virtual node each: the failure
 * class found, the remedy applied, its outcome, and the messages to people.
 */
@Tag("recovery")
class JobFaultsIT {
  private static final String XID =
      "2099-01-01T00:00:00,000000+00:00 NVRM: Xid (PCI:0000:c1:00): 79, GPU has fallen off the bus\n";

  /** The node's own report about its NIC; without it, the job's log alone resets nothing. */
  private static final String RESET =
      "2099-01-01T00:00:00,000000+00:00 ionic 0000:c1:00.0 eth1: FW heartbeat stalled, reset\n";

  private static final String LINKS_UP =
      "CA 'ionic_0'\n\tPort 1:\n\t\tState: Active\nCA 'ionic_1'\n\tPort 1:\n\t\tState: Active\n";
  private static final String LINK_DOWN =
      "CA 'ionic_0'\n\tPort 1:\n\t\tState: Down\nCA 'ionic_1'\n\tPort 1:\n\t\tState: Active\n";

  private final SlurmLab lab = SlurmLab.up();

  @TestFactory
  List<DynamicTest> jobsThatFail() {
    Map<String, Faults.Scenario> scenarios = new LinkedHashMap<>();
    scenarios.put("time limit", this::timeLimit);
    scenarios.put("no memory left on the node", this::outOfHostMemory);
    scenarios.put("flake twice, then success", this::flakeTwice);
    scenarios.put("three flakes", this::flakeThrice);
    scenarios.put("hang before the memory line", this::hangBeforeMemstats);
    scenarios.put("hang before the first step", this::hangBeforeStep0);
    scenarios.put("hang after the first step", this::hangAfterStep0);
    scenarios.put("hang far beyond the projected step", this::hangFarBeyondTheStep);
    scenarios.put("exit 143 after the last step", this::softSuccess);
    scenarios.put("unknown flag", this::unknownFlag);
    scenarios.put("nothing but an unknown flag", this::nothingButAnUnknownFlag);
    scenarios.put("out of GPU memory", this::outOfGpuMemory);
    scenarios.put("NaN loss", this::nanLoss);
    scenarios.put("unclassified", this::unclassified);
    scenarios.put("coordination timeout once", this::coordinationOnce);
    scenarios.put("coordination timeout twice", this::coordinationTwice);
    scenarios.put("checkout's host out of order", this::checkout);
    scenarios.put("GPU fault that passes", this::gpuFault);
    scenarios.put("GPU fault in the kernel's log", this::gpuFaultInHardware);
    scenarios.put("NIC fault cured by a reset", this::nicFault);
    scenarios.put("NIC fault under a job that hangs", this::nicFaultUnderAHangingJob);
    scenarios.put("NIC fault that stays", this::nicFaultThatStays);
    scenarios.put("image missing", this::imageMissing);
    scenarios.put("model unknown to the candidates", this::modelConfig);
    scenarios.put("cancelled from outside", this::externalScancel);

    return sideBySide(scenarios, List.of("n1", "n2", "n3", "n4"));
  }

  private void timeLimit(String node) {
    try (FaultyNight night = start(lab, "time-limit", node, "time-limit", "jobTimeLimit: 1m")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("time-limit", "time-limit");
      assertDroppedAsFailed(s);
    }
  }

  private void outOfHostMemory(String node) {
    try (FaultyNight night = start(lab, "oom-host", node, "oom-host 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("oom-host", "measured");
    }
  }

  private void flakeTwice(String node) {
    try (FaultyNight night = start(lab, "flake-twice", node, "rccl-init-flake 2")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("rccl-init-flake", "rccl-init-flake", "measured");
      assertThat(steps(s, P)).containsExactly("wait", "wait");
      assertThat(incidents(s)).isEmpty();
    }
  }

  private void flakeThrice(String node) {
    try (FaultyNight night = start(lab, "flake-thrice", node, "rccl-init-flake")) {
      SweepState s = night.finished();
      assertThat(story(s, P))
          .containsExactly("rccl-init-flake", "rccl-init-flake", "rccl-init-flake");
      assertDroppedAsFailed(s);
      assertThat(incidents(s)).singleElement().asString().contains(P, "set aside");
      assertThat(night.report()).contains("rccl-init-flake");
    }
  }

  private void hangBeforeMemstats(String node) {
    try (FaultyNight night = start(lab, "hang-memstats", node, "hang-before-memstats 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("hang-before-memstats", "measured");
      assertGivenUp(s);
    }
  }

  private void hangBeforeStep0(String node) {
    try (FaultyNight night = start(lab, "hang-step0", node, "hang-before-step0")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("hang-before-step0");
      assertDroppedAsFailed(s);
    }
  }

  private void hangAfterStep0(String node) {
    try (FaultyNight night = start(lab, "hang-after", node, "hang-after-step0 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("hang-after-step0", "measured");
      assertGivenUp(s);
    }
  }

  /** Long before the limit for a silence during which no step can be projected. */
  private void hangFarBeyondTheStep(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab,
            "hang-beyond",
            node,
            "{" + P + ": {env: {FAULT: hang-after-step0 1, HANG_AT: 8}}}",
            "",
            Map.of(),
            playbook -> playbook.replace("no-step: 10s", "no-step: 1h"))) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("hang-after-step0", "measured");
      assertGivenUp(s);
      assertThat(Phrases.EN.text(diagnoses(s).getFirst().detail())).contains("earlier in this run");
    }
  }

  private void softSuccess(String node) {
    try (FaultyNight night = start(lab, "exit143", node, "exit143")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("measured");
      assertThat(s.attempts().filter(a -> a.end().orElseThrow().exitCode() == 143)).hasSize(1);
    }
  }

  private void unknownFlag(String node) {
    try (FaultyNight night =
        startWith(
            lab,
            "unknown-flag",
            node,
            "{flags: {--xla_obsolete_a: 1, --xla_obsolete_b: 2, --xla_fine: 3}}")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("unknown-flag", "measured");
      assertThat(steps(s, P)).containsExactly("drop-flag");
      assertThat(s.profile(P).flags()).containsOnlyKeys("--xla_fine");
    }
  }

  private void nothingButAnUnknownFlag(String node) {
    try (FaultyNight night =
        startWith(lab, "obsolete-flag", node, "{flags: {--xla_obsolete_a: 1}}")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("unknown-flag");
      assertDroppedAsFailed(s);
    }
  }

  private void outOfGpuMemory(String node) {
    try (FaultyNight night = start(lab, "oom-gpu", node, "oom-gpu")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("oom-gpu");
      assertDroppedAsFailed(s);
      assertThat(Phrases.EN.text(diagnoses(s).getLast().detail())).contains("38.5");
    }
  }

  private void nanLoss(String node) {
    try (FaultyNight night = start(lab, "nan-loss", node, "nan-loss")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("nan-loss");
      assertDroppedAsFailed(s);
    }
  }

  private void unclassified(String node) {
    try (FaultyNight night = start(lab, "unclassified", node, "crash")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("unclassified", "unclassified");
      assertDroppedAsFailed(s);
      assertThat(incidents(s)).singleElement().asString().contains(P, "set aside");
    }
  }

  private void coordinationOnce(String node) {
    try (FaultyNight night = start(lab, "coordination-1", node, "coordination-timeout 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("coordination-timeout", "measured");
    }
  }

  private void coordinationTwice(String node) {
    try (FaultyNight night = start(lab, "coordination-2", node, "coordination-timeout 2")) {
      SweepState s = night.halted();
      assertThat(story(s, P)).containsExactly("coordination-timeout", "coordination-timeout");
      assertStopped(s, "coordination-timeout");
      assertThat(night.report()).contains("interrupted at");
      night.resume();
      s = night.finished();
      assertThat(story(s, P)).endsWith("measured");
    }
  }

  private void checkout(String node) {
    try (FaultyNight night = start(lab, "checkout", node, "checkout-5xx 2")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("checkout-5xx", "checkout-5xx", "measured");
      assertThat(steps(s, P)).containsExactly("wait-for-checkout", "wait-for-checkout");
    }
  }

  private void gpuFault(String node) {
    try (FaultyNight night = start(lab, "gpu-fault", node, "gpu-fault 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("gpu-fault", "measured");
      assertThat(steps(s, P)).containsExactly("collect-rocm-smi", "check-dmesg", "wait");
      assertThat(night.notes("calls").lines())
          .containsExactly(
              "ssh -o BatchMode=yes -o ConnectTimeout=10 -- "
                  + node
                  + " rocm-smi --showtemp --showuse --showxgmierr",
              "ssh -o BatchMode=yes -o ConnectTimeout=10 -- " + node + " dmesg --time-format=iso");
    }
  }

  private void gpuFaultInHardware(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab, "gpu-fault-hard", node, profile("gpu-fault"), "", Map.of("dmesg", XID))) {
      SweepState s = night.halted();
      assertThat(story(s, P)).containsExactly("gpu-fault");
      assertThat(steps(s, P)).containsExactly("collect-rocm-smi", "check-dmesg failed");
      assertStopped(s, "gpu-fault");
      assertThat(Sentences.tried(((Phase.Halted) s.phase()).cause(), Phrases.EN)).contains("Xid");
    }
  }

  private void nicFault(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab,
            "nic-fault",
            node,
            profile("nic-fault 1"),
            "",
            Map.of("dmesg", RESET, "ibstat", LINK_DOWN, "ibstat.after", LINKS_UP))) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("nic-fault", "measured");
      assertThat(steps(s, P)).containsExactly("reset-nic", "verify-nic");
      assertThat(night.notes("modules").lines())
          .containsExactly(
              "rmmod ionic_rdma on " + node,
              "rmmod ionic on " + node,
              "modprobe ionic on " + node,
              "modprobe ionic_rdma on " + node);
    }
  }

  /** The procedure's case: the completion error, then silence at the first collective. */
  private void nicFaultUnderAHangingJob(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab,
            "nic-hang",
            node,
            profile("nic-fault-hang 1"),
            "",
            Map.of("dmesg", RESET, "ibstat", LINK_DOWN, "ibstat.after", LINKS_UP))) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("nic-fault", "measured");
      assertGivenUp(s);
      assertThat(diagnoses(s).getFirst().subjects()).containsExactly(node);
      assertThat(steps(s, P)).containsExactly("reset-nic", "verify-nic");
      assertThat(night.notes("modules").lines()).allMatch(line -> line.endsWith(" on " + node));
    }
  }

  private void nicFaultThatStays(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab,
            "nic-fault-stays",
            node,
            profile("nic-fault"),
            "",
            Map.of("dmesg", RESET, "ibstat", LINK_DOWN))) {
      SweepState s = night.halted();
      assertThat(steps(s, P))
          .containsExactly("reset-nic", "verify-nic failed", "verify-nic failed");
      assertStopped(s, "nic-fault");
    }
  }

  private void imageMissing(String node) {
    try (FaultyNight night = start(lab, "image", node, "image-missing")) {
      SweepState s = night.halted();
      assertStopped(s, "image");
      night.tell(new Command.Stop(Command.Stop.Mode.CANCEL));
      night.finished();
    }
  }

  private void modelConfig(String node) {
    try (FaultyNight night =
        startWith(
            lab,
            "model-config",
            node,
            "{env: {FAULT: model-config}}, b: {env: {FAULT: model-config, X: 1}},"
                + " c: {env: {FAULT: model-config, X: 2}}, d: {env: {FAULT: model-config, X: 3}}")) {
      SweepState s = night.finished();
      assertThat(s.dropped().keySet()).containsExactlyInAnyOrder(P, "b", "c", "d");
      assertThat(s.dropped().values())
          .allMatch(
              d ->
                  d.why() instanceof Cause.FailedAs failed
                      && failed.failureClass().equals("model-config"));
    }
  }

  private void externalScancel(String node) {
    try (FaultyNight night = start(lab, "scancel", node, "slow 1")) {
      lab.slurm("scancel", night.running(P).job().orElseThrow().value());
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("cancelled", "measured");
    }
  }
}
