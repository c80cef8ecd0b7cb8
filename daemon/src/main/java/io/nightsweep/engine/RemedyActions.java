package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Workload;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The allow-list of remedy steps, each carried out beside the tick. */
final class RemedyActions implements RemedySteps {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final Statement USABLE = Statement.phrase("because-usable");

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
  public CompletableFuture<StepEnd> begin(
      Remedy.RemedyStep step, AttemptState attempt, SweepState state) {
    return CompletableFuture.supplyAsync(() -> carryOut(step, attempt, state), executor);
  }

  private StepEnd carryOut(Remedy.RemedyStep step, AttemptState attempt, SweepState state) {
    try {
      return act(step, attempt, state);
    } catch (ClusterUnreachableException | IllegalArgumentException e) {
      return StepEnd.failed(Statement.words(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return StepEnd.failed(Statement.phrase("remedy-interrupted"));
    }
  }

  private StepEnd act(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
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
      default -> StepEnd.failed(Statement.phrase("because-no-action", step.action()));
    };
  }

  /**
   * A job's log alone is one witness, and a line of data can look like a fault: a node's NIC is
   * reset only where that node's own kernel log has a word of its NIC since the job began.
   */
  private StepEnd resetNics(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    List<String> witnessed = evidence.nicFaults(nodes(attempt, state), attempt, step);
    return witnessed.isEmpty()
        ? StepEnd.succeeded(Statement.phrase("because-not-reset"))
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

  private StepEnd readReasons(SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    List<Statement> reasons = unusable(state).stream().map(RemedyActions::stateOf).toList();
    return StepEnd.succeeded(reasons.isEmpty() ? USABLE : Statement.row("; ", reasons));
  }

  private StepEnd resume(SweepState state, Duration timeout, Duration left)
      throws ClusterUnreachableException, InterruptedException {
    long giveUp = System.nanoTime() + left.toNanos();
    List<Cluster.Node> away = unusable(state);
    if (away.isEmpty()) {
      return StepEnd.succeeded(USABLE);
    }
    List<Statement> setAside =
        away.stream()
            .filter(n -> !DrainReason.isSlurmsOwn(n.why()))
            .map(RemedyActions::stateOf)
            .toList();
    if (!setAside.isEmpty()) {
      return StepEnd.failed(Statement.phrase("remedy-own-reason", Statement.row("; ", setAside)));
    }
    List<Statement> said = new ArrayList<>();
    for (Cluster.Node node : away) {
      String answer = cluster.resumeNode(node.name());
      said.add(
          answer.isEmpty()
              ? Statement.phrase("remedy-asked", node.name())
              : Statement.phrase("remedy-answered", node.name(), answer));
    }
    while (true) {
      List<Cluster.Node> still = unusable(state);
      if (still.isEmpty()) {
        said.add(Statement.phrase("remedy-usable"));
        return StepEnd.succeeded(Statement.row("; ", said));
      }
      if (System.nanoTime() >= giveUp) {
        said.add(
            Statement.phrase(
                "remedy-still",
                timeout.toSeconds(),
                Statement.row(", ", still.stream().map(RemedyActions::stateOf).toList())));
        return StepEnd.failed(Statement.row("; ", said));
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private StepEnd waitForController(SweepState state, Duration timeout, Duration left)
      throws InterruptedException {
    long giveUp = System.nanoTime() + left.toNanos();
    while (true) {
      try {
        cluster.nodes(state.cell().nodes());
        return StepEnd.succeeded(Statement.phrase("because-controller"));
      } catch (ClusterUnreachableException e) {
        if (System.nanoTime() >= giveUp) {
          return StepEnd.failed(
              Statement.phrase(
                  "remedy-no-answer", timeout.toSeconds(), String.valueOf(e.getMessage())));
        }
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private StepEnd checkImage(SweepState state) throws InterruptedException {
    List<Statement> missing =
        workload.preflight(state.spec(), submitHost).stream()
            .filter(Workload.SetupProblem::fatal)
            .map(p -> Statement.row("; ", p.found(), Statement.words(p.whatToDo())))
            .toList();
    return missing.isEmpty()
        ? StepEnd.succeeded(Statement.phrase("because-needed"))
        : StepEnd.failed(Statement.row("; ", missing));
  }

  private static Statement stateOf(Cluster.Node node) {
    return node.why().isEmpty()
        ? Statement.phrase("remedy-state", node.name(), node.state())
        : Statement.phrase("remedy-state-why", node.name(), node.state(), node.why());
  }

  private List<Cluster.Node> unusable(SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    return cluster.nodes(state.cell().nodes()).stream()
        .filter(n -> n.availability() == Cluster.Node.Availability.UNUSABLE)
        .toList();
  }
}
