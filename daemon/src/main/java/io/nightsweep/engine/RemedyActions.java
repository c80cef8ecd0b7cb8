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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/** The allow-list of remedy steps; each runs beside the tick. */
final class RemedyActions implements RemedySteps {
  /**
   * The largest number of polls of the cluster during a step; it also gives the shortest time
   * between two polls.
   */
  private static final int LOOKS = 180;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final Statement USABLE = Statement.phrase("because-usable");

  private final Cluster cluster;
  private final Workload workload;
  private final NodeEvidence evidence;
  private final NicReset nics;
  private final CommandRunner submitHost;
  private final InstantSource clock;
  private final Executor executor = task -> Thread.ofVirtual().name("remedy").start(task);

  /** The condition that a waiting step checks until the wait is over. */
  @FunctionalInterface
  private interface Look {
    /** Why the wait is not over; empty once it is. */
    Optional<Statement> amiss() throws ClusterUnreachableException, InterruptedException;
  }

  /**
   * @param submitHost runs commands on the machine from which jobs are submitted
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
      case Remedy.RemedyStep.WAIT_FOR_NODES -> waitForNodes(step, attempt, state);
      case Remedy.RemedyStep.RESUME_NODE -> resume(step, attempt, state);
      case "wait-for-controller" -> waitForController(step, attempt, state);
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
   * Resets a node's NIC only if the node's own kernel log has reported a fault of its NIC since the
   * job began. A job's log alone is not enough, since a line of data can look like a fault.
   */
  private StepEnd resetNics(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    List<String> witnessed = evidence.nicFaults(nodes(attempt, state), attempt, step);
    return witnessed.isEmpty()
        ? StepEnd.succeeded(Statement.phrase(StepEnd.NOT_RESET))
        : nics.reset(witnessed, step);
  }

  /** The rest of the step's time; an earlier daemon may have begun to wait. */
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

  /**
   * Checks until nothing is amiss or the step's time is over; returns the result of the last check.
   */
  private Optional<Statement> await(Look look, Remedy.RemedyStep step, AttemptState attempt)
      throws ClusterUnreachableException, InterruptedException {
    long giveUp = System.nanoTime() + left(step, attempt).toNanos();
    Duration pause = Collections.max(List.of(LOOK_AGAIN, step.timeout().dividedBy(LOOKS)));
    while (true) {
      Optional<Statement> amiss = look.amiss();
      if (amiss.isEmpty() || System.nanoTime() >= giveUp) {
        return amiss;
      }
      Thread.sleep(pause);
    }
  }

  /** The nodes that the diagnosis names; if it names none, all nodes of the job. */
  private static List<String> nodes(AttemptState attempt, SweepState state) {
    List<String> pinned = state.cell().nodes();
    List<String> named =
        attempt.failure().stream()
            .flatMap(d -> d.subjects().stream())
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

  /** A booting node cannot be resumed; a node that is only drained or down answers. */
  private StepEnd waitForNodes(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    return await(() -> amiss(state, Cluster.Node::isAway), step, attempt)
        .map(away -> StepEnd.failed(still(step, away)))
        .orElseGet(() -> StepEnd.succeeded(Statement.phrase("remedy-nodes-answer")));
  }

  private StepEnd resume(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
      throws ClusterUnreachableException, InterruptedException {
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
    Optional<Statement> still = await(() -> states(unusable(state)), step, attempt);
    said.add(still.map(s -> still(step, s)).orElse(Statement.phrase("remedy-usable")));
    Statement all = Statement.row("; ", said);
    return still.isEmpty() ? StepEnd.succeeded(all) : StepEnd.failed(all);
  }

  private StepEnd waitForController(Remedy.RemedyStep step, AttemptState attempt, SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    return await(() -> amiss(state, node -> false), step, attempt)
        .map(
            error ->
                StepEnd.failed(
                    Statement.phrase("remedy-no-answer", step.timeout().toSeconds(), error)))
        .orElseGet(() -> StepEnd.succeeded(Statement.phrase("because-controller")));
  }

  /** The states of matching nodes, or the error of a cluster that does not answer. */
  private Optional<Statement> amiss(SweepState state, Predicate<Cluster.Node> which)
      throws InterruptedException {
    try {
      return states(nodes(state, which));
    } catch (ClusterUnreachableException e) {
      return Optional.of(Statement.words(String.valueOf(e.getMessage())));
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

  private static Statement still(Remedy.RemedyStep step, Statement states) {
    return Statement.phrase("remedy-still", step.timeout().toSeconds(), states);
  }

  private static Optional<Statement> states(List<Cluster.Node> nodes) {
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(Statement.row(", ", nodes.stream().map(RemedyActions::stateOf).toList()));
  }

  private static Statement stateOf(Cluster.Node node) {
    return node.why().isEmpty()
        ? Statement.phrase("remedy-state", node.name(), node.state())
        : Statement.phrase("remedy-state-why", node.name(), node.state(), node.why());
  }

  private List<Cluster.Node> unusable(SweepState state)
      throws ClusterUnreachableException, InterruptedException {
    return nodes(state, n -> n.availability() == Cluster.Node.Availability.UNUSABLE);
  }

  private List<Cluster.Node> nodes(SweepState state, Predicate<Cluster.Node> which)
      throws ClusterUnreachableException, InterruptedException {
    return cluster.nodes(state.cell().nodes()).stream().filter(which).toList();
  }
}
