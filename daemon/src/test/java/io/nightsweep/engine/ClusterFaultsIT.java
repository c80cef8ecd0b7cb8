package io.nightsweep.engine;

import static io.nightsweep.engine.Faults.P;
import static io.nightsweep.engine.Faults.allSteps;
import static io.nightsweep.engine.Faults.assertStopped;
import static io.nightsweep.engine.Faults.diagnoses;
import static io.nightsweep.engine.Faults.profile;
import static io.nightsweep.engine.Faults.sideBySide;
import static io.nightsweep.engine.Faults.start;
import static io.nightsweep.engine.FaultyNight.steps;
import static io.nightsweep.engine.FaultyNight.story;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.AwaitedStep;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Faults of the cluster on the real Slurm lab: nodes that die or are drained, in parallel; then the
 * controller.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("recovery")
@Tag("guard")
class ClusterFaultsIT {
  private static final SlurmLab LAB = SlurmLab.up();

  private final SlurmLab lab = LAB;

  @AfterAll
  static void whole() {
    for (String node : List.of("n1", "n2", "n3", "n4")) {
      LAB.lab("start-node", node);
    }
  }

  @TestFactory
  @Order(1)
  List<DynamicTest> nodesThatFail() {
    Map<String, Faults.Scenario> scenarios = new LinkedHashMap<>();
    scenarios.put("node dies under a job", this::nodeDies);
    scenarios.put("node reboots under a job", this::nodeReboots);
    scenarios.put("drained node that can be resumed", this::drainedNode);
    scenarios.put("node drained for maintenance", this::drainedForMaintenance);
    scenarios.put("drained node that cannot be resumed", this::drainedForGood);
    return sideBySide(scenarios, List.of("n1", "n2", "n3"));
  }

  private void nodeDies(String node) {
    try (FaultyNight night = start(lab, "node-dies", node, "slow 1")) {
      night.running(P);
      lab.lab("kill-node", node);
      SweepState s = night.halted();
      assertThat(story(s, P)).containsAnyOf("node-fail", "node-down");
      assertThat(steps(s, P))
          .as("%s", s.phase())
          .contains("read-node-reason", "resume-node failed");
      assertThat(((Phase.Halted) s.phase()).failingNodes()).containsExactly(node);
      night.await("nothing in flight", now -> now.inFlight().isEmpty());
      lab.lab("start-node", node);
      night.resume();
      assertThat(story(night.finished(), P)).endsWith("measured");
    }
  }

  /** The reboot costs the node's boot time, and needs no answer from a person. */
  private void nodeReboots(String node) {
    UnaryOperator<String> patiently =
        playbook -> playbook.replace("wait-for-nodes, timeout: 30s", "wait-for-nodes, timeout: 5m");
    try (FaultyNight night =
        FaultyNight.start(lab, "node-reboots", node, profile("slow 1"), "", Map.of(), patiently)) {
      night.running(P);
      lab.lab("kill-node", node);
      night.await(
          "the wait",
          s -> AwaitedStep.of(s).stream().anyMatch(step -> step.action().equals("wait-for-nodes")));
      lab.lab("start-node", node);
      SweepState s = night.finished();
      assertThat(steps(s, P)).contains("wait-for-nodes").doesNotContain("resume-node failed");
      assertThat(story(s, P)).endsWith("measured");
      assertThat(s.commands()).isEmpty();
    }
  }

  private void drainedNode(String node) {
    try (FaultyNight night = start(lab, "drained", node, "slow 1")) {
      lab.lab("drain", node, "Kill task failed");
      SweepState s = night.finished();
      assertThat(allSteps(s)).contains("read-node-reason", "resume-node");
      assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
      assertThat(diagnoses(s))
          .anyMatch(d -> Phrases.EN.text(d.detail()).contains("Kill task failed"));
    }
  }

  /** A log line about a missing node does not permit undoing an administrator's drain. */
  private void drainedForMaintenance(String node) {
    try (FaultyNight night = start(lab, "maintenance", node, "slow 1")) {
      lab.lab(
          "drain",
          node,
          "maintenance: DIMM is being replaced, ask https://bob:canary-of-a-node@ipmi");
      SweepState s = night.halted();
      assertThat(((Phase.Halted) s.phase()).failingNodes()).containsExactly(node);
      assertThat(Sentences.tried(((Phase.Halted) s.phase()).cause(), Phrases.EN))
          .contains("DIMM is being replaced")
          .doesNotContain("canary");
      assertThat(night.leaks("canary")).isEmpty();
      assertThat(lab.slurm("sinfo", "-h", "-N", "-p", "lab", "-n", node, "-o", "%T"))
          .startsWith("drained");
    } finally {
      lab.lab("resume", node);
    }
  }

  /** With another nodelist everything is measured again, and the report says so. */
  private void drainedForGood(String node) throws Exception {
    Thread warden = healthCheck(node);
    try (FaultyNight night = start(lab, "drained-for-good", node, "slow 1")) {
      warden.start();
      SweepState s = night.halted();
      assertThat(((Phase.Halted) s.phase()).failingNodes()).containsExactly(node);
      assertThat(Sentences.tried(((Phase.Halted) s.phase()).cause(), Phrases.EN))
          .contains("resume-node");
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
  private Thread healthCheck(String node) {
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
            // Interrupted in the middle of a command.
          }
        });
  }

  @Test
  @Order(2)
  void anOutageOfTheControllerIsWaitedForUpToItsLimit() throws Exception {
    try (FaultyNight patient =
            FaultyNight.start(lab, "outage-short", "n1", profile("slow 1"), "PATIENT", Map.of());
        FaultyNight strict = start(lab, "outage-long", "n2", "slow 1")) {
      patient.running(P);
      strict.running(P);
      lab.lab("stop-controller");
      SweepState s = strict.halted();

      assertStopped(s, "controller-down");
      // This sweep has waited as long as the other one, and does not halt.
      Thread.sleep(Duration.ofSeconds(5));
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
}
