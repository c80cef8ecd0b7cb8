package io.nightsweep.engine;

import static io.nightsweep.engine.FaultyNight.steps;
import static io.nightsweep.engine.FaultyNight.story;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Faults on the real Slurm lab, from the job's own to the cluster's: the class found, the remedy
 * taken, what came of it, and what people are told. Jobs' own faults run side by side, one virtual
 * node each; then nodes fail, then the controller.
 */
@Tag("recovery")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RecoveryTest {
  private static final String P = "candidate";
  private static final String XID =
      "2099-01-01T00:00:00,000000+00:00 NVRM: Xid (PCI:0000:c1:00): 79, GPU has fallen off the bus\n";
  private static final String LINKS_UP =
      "CA 'ionic_0'\n\tPort 1:\n\t\tState: Active\nCA 'ionic_1'\n\tPort 1:\n\t\tState: Active\n";
  private static final String LINK_DOWN =
      "CA 'ionic_0'\n\tPort 1:\n\t\tState: Down\nCA 'ionic_1'\n\tPort 1:\n\t\tState: Active\n";

  private static SlurmLab lab;

  @BeforeAll
  static void up() {
    lab = SlurmLab.up();
  }

  @AfterAll
  static void whole() {
    for (String node : List.of("n1", "n2", "n3", "n4")) {
      lab.lab("start-node", node);
    }
  }

  private interface Scenario {
    void on(String node) throws Exception;
  }

  @TestFactory
  @Order(1)
  List<DynamicTest> jobsThatFail() {
    Map<String, Scenario> scenarios = new LinkedHashMap<>();
    scenarios.put("time limit", RecoveryTest::timeLimit);
    scenarios.put("no memory left on the node", RecoveryTest::outOfHostMemory);
    scenarios.put("flake twice, then success", RecoveryTest::flakeTwice);
    scenarios.put("three flakes", RecoveryTest::flakeThrice);
    scenarios.put("hang before the memory line", RecoveryTest::hangBeforeMemstats);
    scenarios.put("hang before the first step", RecoveryTest::hangBeforeStep0);
    scenarios.put("hang after the first step", RecoveryTest::hangAfterStep0);
    scenarios.put("hang far beyond the projected step", RecoveryTest::hangFarBeyondTheStep);
    scenarios.put("exit 143 after the last step", RecoveryTest::softSuccess);
    scenarios.put("unknown flag", RecoveryTest::unknownFlag);
    scenarios.put("nothing but an unknown flag", RecoveryTest::nothingButAnUnknownFlag);
    scenarios.put("out of GPU memory", RecoveryTest::outOfGpuMemory);
    scenarios.put("NaN loss", RecoveryTest::nanLoss);
    scenarios.put("unclassified", RecoveryTest::unclassified);
    scenarios.put("coordination timeout once", RecoveryTest::coordinationOnce);
    scenarios.put("coordination timeout twice", RecoveryTest::coordinationTwice);
    scenarios.put("checkout's host out of order", RecoveryTest::checkout);
    scenarios.put("GPU fault that passes", RecoveryTest::gpuFault);
    scenarios.put("GPU fault in the kernel's log", RecoveryTest::gpuFaultInHardware);
    scenarios.put("NIC fault cured by a reset", RecoveryTest::nicFault);
    scenarios.put("NIC fault under a job that hangs", RecoveryTest::nicFaultUnderAHangingJob);
    scenarios.put("NIC fault that stays", RecoveryTest::nicFaultThatStays);
    scenarios.put("image missing", RecoveryTest::imageMissing);
    scenarios.put("model unknown to the candidates", RecoveryTest::modelConfig);
    scenarios.put("cancelled from outside", RecoveryTest::externalScancel);

    return sideBySide(scenarios, List.of("n1", "n2", "n3", "n4"));
  }

  @TestFactory
  @Order(2)
  List<DynamicTest> nodesThatFail() {
    Map<String, Scenario> scenarios = new LinkedHashMap<>();
    scenarios.put("node dies under a job", RecoveryTest::nodeDies);
    scenarios.put("drained node that can be resumed", RecoveryTest::drainedNode);
    scenarios.put("drained node that cannot be resumed", RecoveryTest::drainedForGood);
    return sideBySide(scenarios, List.of("n1", "n2", "n3"));
  }

  /** Each on a node that no other has. */
  private static List<DynamicTest> sideBySide(
      Map<String, Scenario> scenarios, List<String> onNodes) {
    BlockingQueue<String> nodes = new LinkedBlockingQueue<>(onNodes);
    ExecutorService pool = Executors.newFixedThreadPool(nodes.size());
    List<DynamicTest> tests = new ArrayList<>();
    scenarios.forEach(
        (name, scenario) -> {
          Future<?> run =
              pool.submit(
                  () -> {
                    String node = nodes.take();
                    try {
                      scenario.on(node);
                    } finally {
                      nodes.add(node);
                    }
                    return name;
                  });
          tests.add(DynamicTest.dynamicTest(name, run::get));
        });
    pool.shutdown();
    return tests;
  }

  private static void timeLimit(String node) {
    try (FaultyNight night = start("time-limit", node, "time-limit", "jobTimeLimit: 1m")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("time-limit", "time-limit");
      assertDroppedAsFailed(s);
    }
  }

  private static void outOfHostMemory(String node) {
    try (FaultyNight night = start("oom-host", node, "oom-host 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("oom-host", "measured");
    }
  }

  private static void flakeTwice(String node) {
    try (FaultyNight night = start("flake-twice", node, "rccl-init-flake 2")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("rccl-init-flake", "rccl-init-flake", "measured");
      assertThat(steps(s, P)).containsExactly("wait", "wait");
      assertThat(incidents(s)).isEmpty();
    }
  }

  private static void flakeThrice(String node) {
    try (FaultyNight night = start("flake-thrice", node, "rccl-init-flake")) {
      SweepState s = night.finished();
      assertThat(story(s, P))
          .containsExactly("rccl-init-flake", "rccl-init-flake", "rccl-init-flake");
      assertDroppedAsFailed(s);
      assertThat(incidents(s)).singleElement().asString().contains(P, "set aside");
      assertThat(night.report()).contains("rccl-init-flake");
    }
  }

  private static void hangBeforeMemstats(String node) {
    try (FaultyNight night = start("hang-memstats", node, "hang-before-memstats 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("hang-before-memstats", "measured");
      assertGivenUp(s);
    }
  }

  private static void hangBeforeStep0(String node) {
    try (FaultyNight night = start("hang-step0", node, "hang-before-step0")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("hang-before-step0");
      assertDroppedAsFailed(s);
    }
  }

  private static void hangAfterStep0(String node) {
    try (FaultyNight night = start("hang-after", node, "hang-after-step0 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("hang-after-step0", "measured");
      assertGivenUp(s);
    }
  }

  /** Long before the limit of a silence in which no step can be projected. */
  private static void hangFarBeyondTheStep(String node) {
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
      assertThat(diagnoses(s).getFirst().detail()).contains("by this run's own");
    }
  }

  private static void softSuccess(String node) {
    try (FaultyNight night = start("exit143", node, "exit143")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("measured");
      assertThat(s.attempts().filter(a -> a.end().orElseThrow().exitCode() == 143)).hasSize(1);
    }
  }

  private static void unknownFlag(String node) {
    try (FaultyNight night =
        startWith(
            "unknown-flag",
            node,
            "{flags: {--xla_obsolete_a: 1, --xla_obsolete_b: 2, --xla_fine: 3}}")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("unknown-flag", "measured");
      assertThat(steps(s, P)).containsExactly("drop-flag");
      assertThat(s.profile(P).flags()).containsOnlyKeys("--xla_fine");
    }
  }

  private static void nothingButAnUnknownFlag(String node) {
    try (FaultyNight night = startWith("obsolete-flag", node, "{flags: {--xla_obsolete_a: 1}}")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("unknown-flag");
      assertDroppedAsFailed(s);
    }
  }

  private static void outOfGpuMemory(String node) {
    try (FaultyNight night = start("oom-gpu", node, "oom-gpu")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("oom-gpu");
      assertDroppedAsFailed(s);
      assertThat(diagnoses(s).getLast().detail()).contains("38.5");
    }
  }

  private static void nanLoss(String node) {
    try (FaultyNight night = start("nan-loss", node, "nan-loss")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("nan-loss");
      assertDroppedAsFailed(s);
    }
  }

  private static void unclassified(String node) {
    try (FaultyNight night = start("unclassified", node, "crash")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("unclassified", "unclassified");
      assertDroppedAsFailed(s);
      assertThat(incidents(s)).singleElement().asString().contains(P, "set aside");
    }
  }

  private static void coordinationOnce(String node) {
    try (FaultyNight night = start("coordination-1", node, "coordination-timeout 1")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("coordination-timeout", "measured");
    }
  }

  private static void coordinationTwice(String node) {
    try (FaultyNight night = start("coordination-2", node, "coordination-timeout 2")) {
      SweepState s = night.halted();
      assertThat(story(s, P)).containsExactly("coordination-timeout", "coordination-timeout");
      assertStopped(s, "coordination-timeout");
      assertThat(night.report()).contains("interrupted at");
      night.resume();
      s = night.finished();
      assertThat(story(s, P)).endsWith("measured");
    }
  }

  private static void checkout(String node) {
    try (FaultyNight night = start("checkout", node, "checkout-5xx 2")) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("checkout-5xx", "checkout-5xx", "measured");
      assertThat(steps(s, P)).containsExactly("wait-for-checkout", "wait-for-checkout");
    }
  }

  private static void gpuFault(String node) {
    try (FaultyNight night = start("gpu-fault", node, "gpu-fault 1")) {
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

  private static void gpuFaultInHardware(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab, "gpu-fault-hard", node, profile("gpu-fault"), "", Map.of("dmesg", XID))) {
      SweepState s = night.halted();
      assertThat(story(s, P)).containsExactly("gpu-fault");
      assertThat(steps(s, P)).containsExactly("collect-rocm-smi", "check-dmesg failed");
      assertStopped(s, "gpu-fault");
      assertThat(((Phase.Halted) s.phase()).tried()).contains("Xid");
    }
  }

  private static void nicFault(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab,
            "nic-fault",
            node,
            profile("nic-fault 1"),
            "",
            Map.of("ibstat", LINK_DOWN, "ibstat.after", LINKS_UP))) {
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

  /** The procedure's case: the completion error, and then silence at the first collective. */
  private static void nicFaultUnderAHangingJob(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab,
            "nic-hang",
            node,
            profile("nic-fault-hang 1"),
            "",
            Map.of("ibstat", LINK_DOWN, "ibstat.after", LINKS_UP))) {
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("nic-fault", "measured");
      assertGivenUp(s);
      assertThat(diagnoses(s).getFirst().subjects()).containsExactly(node);
      assertThat(steps(s, P)).containsExactly("reset-nic", "verify-nic");
      assertThat(night.notes("modules").lines()).allMatch(line -> line.endsWith(" on " + node));
    }
  }

  private static void nicFaultThatStays(String node) {
    try (FaultyNight night =
        FaultyNight.start(
            lab, "nic-fault-stays", node, profile("nic-fault"), "", Map.of("ibstat", LINK_DOWN))) {
      SweepState s = night.halted();
      assertThat(steps(s, P))
          .containsExactly("reset-nic", "verify-nic failed", "verify-nic failed");
      assertStopped(s, "nic-fault");
    }
  }

  private static void imageMissing(String node) {
    try (FaultyNight night = start("image", node, "image-missing")) {
      SweepState s = night.halted();
      assertStopped(s, "image");
      night.tell(new Command.Stop(Command.Stop.Mode.CANCEL));
      night.finished();
    }
  }

  private static void modelConfig(String node) {
    try (FaultyNight night =
        startWith(
            "model-config",
            node,
            "{env: {FAULT: model-config}}, b: {env: {FAULT: model-config, X: 1}},"
                + " c: {env: {FAULT: model-config, X: 2}}, d: {env: {FAULT: model-config, X: 3}}")) {
      SweepState s = night.finished();
      assertThat(s.dropped().keySet()).containsExactlyInAnyOrder(P, "b", "c", "d");
      assertThat(s.dropped().values()).allMatch(d -> d.reason().startsWith("model-config"));
    }
  }

  private static void externalScancel(String node) {
    try (FaultyNight night = start("scancel", node, "slow 1")) {
      lab.slurm("scancel", night.running(P).job().orElseThrow().value());
      SweepState s = night.finished();
      assertThat(story(s, P)).containsExactly("cancelled", "measured");
    }
  }

  private static void nodeDies(String node) {
    try (FaultyNight night = start("node-dies", node, "slow 1")) {
      night.running(P);
      lab.lab("kill-node", node);
      SweepState s = night.halted();
      assertThat(story(s, P)).containsAnyOf("node-fail", "node-down");
      assertThat(steps(s, P)).contains("read-node-reason", "resume-node failed");
      assertThat(((Phase.Halted) s.phase()).failingNodes()).containsExactly(node);
      night.await("nothing in flight", now -> now.inFlight().isEmpty());
      lab.lab("start-node", node);
      night.resume();
      assertThat(story(night.finished(), P)).endsWith("measured");
    }
  }

  private static void drainedNode(String node) {
    try (FaultyNight night = start("drained", node, "slow 1")) {
      lab.lab("drain", node, "Kill task failed");
      SweepState s = night.finished();
      assertThat(allSteps(s)).contains("read-node-reason", "resume-node");
      assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
      assertThat(diagnoses(s)).anyMatch(d -> d.detail().contains("Kill task failed"));
    }
  }

  /** Another nodelist: everything is measured anew, and the report says so. */
  private static void drainedForGood(String node) throws Exception {
    Thread warden = healthCheck(node);
    try (FaultyNight night = start("drained-for-good", node, "slow 1")) {
      warden.start();
      SweepState s = night.halted();
      assertThat(((Phase.Halted) s.phase()).failingNodes()).containsExactly(node);
      assertThat(((Phase.Halted) s.phase()).tried()).contains("resume-node");
      night.tell(new Command.Resume(Optional.of(List.of("n4")), Optional.empty()));
      s = night.finished();
      assertThat(s.cell().nodes()).containsExactly("n4");
      assertThat(s.repinnedAfter()).isPresent();
      assertThat(story(s, "baseline-deployed")).endsWith("measured");
      assertThat(night.report()).contains("The nodelist was changed");
    } finally {
      warden.interrupt();
      warden.join();
      lab.lab("resume", node);
    }
  }

  /** Drains the node whenever somebody resumes it, as a failing health check does. */
  private static Thread healthCheck(String node) {
    return new Thread(
        () -> {
          try {
            while (true) {
              lab.lab("drain", node, "health check failed");
              Thread.sleep(Duration.ofMillis(300));
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (IllegalStateException e) {
            // Interrupted in the midst of a command.
          }
        });
  }

  @Test
  @Order(3)
  void anOutageOfTheControllerIsWaitedForUpToItsLimit() throws Exception {
    try (FaultyNight patient =
            FaultyNight.start(lab, "outage-short", "n1", profile("slow 1"), "PATIENT", Map.of());
        FaultyNight strict = start("outage-long", "n2", "slow 1")) {
      patient.running(P);
      strict.running(P);
      lab.lab("stop-controller");
      SweepState s = strict.halted();

      assertStopped(s, "controller-down");
      Thread.sleep(Duration.ofSeconds(30));
      assertThat(patient.state().phase()).isInstanceOf(Phase.Running.class);
      lab.lab("start-controller");
      s = patient.finished();
      assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
      assertThat(s.commands()).isEmpty();
      assertThat(story(s, P)).endsWith("measured");
      strict.resume();
      assertThat(story(strict.finished(), P)).endsWith("measured");
    }
  }

  private static FaultyNight start(String name, String node, String fault) {
    return start(name, node, fault, "");
  }

  private static FaultyNight start(String name, String node, String fault, String policy) {
    return FaultyNight.start(lab, name, node, profile(fault), policy, Map.of());
  }

  private static FaultyNight startWith(String name, String node, String candidate) {
    return FaultyNight.start(lab, name, node, "{" + P + ": " + candidate + "}", "", Map.of());
  }

  private static String profile(String fault) {
    return "{" + P + ": {env: {FAULT: " + fault + "}}}";
  }

  private static List<Diagnosis> diagnoses(SweepState s) {
    return s.attempts()
        .flatMap(a -> a.judgement().stream())
        .filter(j -> j instanceof Judgement.Failed)
        .map(j -> ((Judgement.Failed) j).diagnosis())
        .toList();
  }

  private static List<String> allSteps(SweepState s) {
    return s.profileOrder().stream().flatMap(p -> steps(s, p).stream()).toList();
  }

  private static void assertDroppedAsFailed(SweepState s) {
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(s.isDropped(P)).isTrue();
    assertThat(s.isDropped("baseline-deployed")).isFalse();
  }

  private static void assertGivenUp(SweepState s) {
    assertThat(s.attempts().filter(a -> a.givenUp().isPresent())).isNotEmpty();
  }

  private static void assertStopped(SweepState s, String reason) {
    assertThat(((Phase.Halted) s.phase()).reason()).contains(reason);
    assertThat(hasStop(s, reason)).isTrue();
  }

  private static boolean hasStop(SweepState s, String reason) {
    return s.notices().values().stream()
        .anyMatch(n -> n.notice() instanceof Notice.Stop stop && stop.reason().contains(reason));
  }

  private static List<String> incidents(SweepState s) {
    return s.notices().values().stream()
        .flatMap(
            n ->
                n.notice() instanceof Notice.Incident i
                    ? java.util.stream.Stream.of(i.text())
                    : java.util.stream.Stream.<String>empty())
        .toList();
  }
}
