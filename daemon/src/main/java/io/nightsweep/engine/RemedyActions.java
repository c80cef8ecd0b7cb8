package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Workload;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/** The allow-list of remedy steps, each carried out beside the tick. */
final class RemedyActions implements RemedySteps {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final Workload workload;
  private final NodeEvidence evidence;
  private final NicReset nics;
  private final CommandRunner submitHost;
  private final InstantSource clock;
  private final Executor executor = task -> Thread.ofVirtual().name("remedy").start(task);

  /**
   * @param submitHost runs commands on the machine that jobs are submitted from
   */
  RemedyActions(
      Cluster cluster,
      Workload workload,
      NodeEvidence evidence,
      NicReset nics,
      CommandRunner submitHost,
      InstantSource clock) {
    this.cluster = cluster;
    this.workload = workload;
    this.evidence = evidence;
    this.nics = nics;
    this.submitHost = submitHost;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<StepOutcome> begin(
      Remedy.RemedyStep step, AttemptState attempt, SweepState state) {
    return CompletableFuture.supplyAsync(() -> carryOut(step, attempt, state), executor);
  }

  private StepOutcome carryOut(Remedy.RemedyStep step, AttemptState attempt, SweepState state) {
    try {
      return act(step, attempt, state);
    } catch (ClusterUnreachableException | IllegalArgumentException e) {
      return new StepOutcome(false, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new StepOutcome(false, "interrupted");
    }
  }

  private StepOutcome act(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    return switch (step.action()) {
      case "read-node-reason" -> readReasons(state);
      case "resume-node" -> resume(state, step.timeout(), left(step, attempt));
      case "wait-for-controller" -> waitForController(state, step.timeout(), left(step, attempt));
      case "check-image" -> checkImage(state);
      case "collect-dmesg" -> evidence.dmesg(nodes(attempt, state), step);
      case "check-dmesg" -> evidence.faults(nodes(attempt, state), attempt, step);
      case "collect-rocm-smi" ->
          evidence.collect(NodeCommand.ROCM_SMI, nodes(attempt, state), step);
      case "collect-nvidia-smi" ->
          evidence.collect(NodeCommand.NVIDIA_SMI, nodes(attempt, state), step);
      case "reset-nic" -> resetNics(step, attempt, state);
      case "verify-nic" -> nics.verify(nodes(attempt, state), step);
      default -> new StepOutcome(false, "no action '" + step.action() + "' in this build");
    };
  }

  /**
   * A job's log alone is one witness, and a line of data can look like a fault: a node's NIC is
   * reset only where that node's own kernel log has a word of its NIC since the job began.
   */
  private StepOutcome resetNics(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    List<String> witnessed = evidence.nicFaults(nodes(attempt, state), attempt, step);
    return witnessed.isEmpty()
        ? new StepOutcome(
            true, "not reset: the kernels' logs have no word of a NIC since the job began")
        : nics.reset(witnessed, step);
  }

  /** What is left of the step's time; an earlier daemon may have begun to wait. */
  private Duration left(Remedy.RemedyStep step, AttemptState attempt) {
    Duration waited =
        attempt
            .remedy()
            .flatMap(AttemptState.RemedyState::running)
            .map(running -> Duration.between(running.since(), clock.instant()))
            .filter(Duration::isPositive)
            .orElse(Duration.ZERO);
    return waited.compareTo(step.timeout()) < 0 ? step.timeout().minus(waited) : Duration.ZERO;
  }

  /** The nodes that the diagnosis names; where it names none, all that the job ran on. */
  private static List<String> nodes(AttemptState attempt, SweepState state) {
    List<String> pinned = state.cell().nodes();
    List<String> named =
        attempt.judgement().stream()
            .filter(j -> j instanceof io.nightsweep.sweep.Judgement.Failed)
            .flatMap(
                j -> ((io.nightsweep.sweep.Judgement.Failed) j).diagnosis().subjects().stream())
            .filter(pinned::contains)
            .distinct()
            .toList();
    return named.isEmpty() ? pinned : named;
  }

  private StepOutcome readReasons(SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    String reasons =
        unusable(state).stream()
            .map(n -> n.name() + " is " + n.state() + (n.why().isEmpty() ? "" : ": " + n.why()))
            .collect(Collectors.joining("; "));
    return new StepOutcome(true, reasons.isEmpty() ? "every pinned node is usable" : reasons);
  }

  private StepOutcome resume(SweepState state, Duration timeout, Duration left)
      throws ClusterUnreachableException, InterruptedException {
    long giveUp = System.nanoTime() + left.toNanos();
    List<Cluster.Node> away = unusable(state);
    if (away.isEmpty()) {
      return new StepOutcome(true, "every pinned node is usable");
    }
    String setAside =
        away.stream()
            .filter(n -> !DrainReason.isSlurmsOwn(n.why()))
            .map(n -> n.name() + " is " + n.state() + ": " + n.why())
            .collect(Collectors.joining("; "));
    if (!setAside.isEmpty()) {
      return new StepOutcome(
          false, "not resumed, since somebody set it aside for a reason of their own: " + setAside);
    }
    StringBuilder said = new StringBuilder();
    for (Cluster.Node node : away) {
      String answer = cluster.resumeNode(node.name());
      said.append("asked ").append(node.name()).append(" to resume");
      said.append(answer.isEmpty() ? "; " : " (" + answer + "); ");
    }
    while (true) {
      List<Cluster.Node> still = unusable(state);
      if (still.isEmpty()) {
        return new StepOutcome(true, said + "usable again");
      }
      if (System.nanoTime() >= giveUp) {
        return new StepOutcome(
            false,
            said
                + "after "
                + timeout.toSeconds()
                + " s "
                + still.stream()
                    .map(n -> n.name() + " is " + n.state())
                    .collect(Collectors.joining(", ")));
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private StepOutcome waitForController(SweepState state, Duration timeout, Duration left)
      throws InterruptedException {
    long giveUp = System.nanoTime() + left.toNanos();
    while (true) {
      try {
        cluster.nodes(state.cell().nodes());
        return new StepOutcome(true, "the controller answers");
      } catch (ClusterUnreachableException e) {
        if (System.nanoTime() >= giveUp) {
          return new StepOutcome(
              false, "no answer for " + timeout.toSeconds() + " s: " + e.getMessage());
        }
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private StepOutcome checkImage(SweepState state) throws InterruptedException {
    String missing =
        workload.preflight(state.spec(), submitHost).stream()
            .filter(Workload.SetupProblem::fatal)
            .map(p -> Phrases.EN.text(p.found()) + "; " + p.whatToDo())
            .collect(Collectors.joining("; "));
    return missing.isEmpty()
        ? new StepOutcome(true, "what the job needs is there")
        : new StepOutcome(false, missing);
  }

  private List<Cluster.Node> unusable(SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    return cluster.nodes(state.cell().nodes()).stream()
        .filter(n -> n.availability() == Cluster.Node.Availability.UNUSABLE)
        .toList();
  }
}
