package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import io.nightsweep.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Adds node checks to a sweep that lasts a whole night: a wave before the first wave, and one at
 * dawn.
 */
public final class NodeChecks {
  /** Two checks of at most two minutes each take less than two hundredths of this time. */
  private static final Duration NIGHT = Duration.ofHours(4);

  private static final String DAWN = Wave.NODE_GATE + "-at-dawn";

  private NodeChecks() {}

  /** The plan before the cluster is known, for a rehearsal. */
  public static SweepSpec onPaper(SweepSpec spec, Instant now) {
    return refusal(spec, now).map(why -> without(spec, why)).orElseGet(() -> with(spec));
  }

  /**
   * The plan with its checks, or without them and with the reason.
   *
   * @param gate the job that checks nodes, if the installation has one
   */
  public static SweepSpec fitted(
      SweepSpec spec, Cluster cluster, Optional<Workload> gate, Instant now) {
    return refusal(spec, now)
        .or(
            () ->
                cluster.nodesAreHosts()
                    ? Optional.empty()
                    : Optional.of(Statement.phrase("node-one-machine")))
        .or(
            () ->
                gate.isEmpty()
                    ? Optional.of(Statement.phrase("node-no-kernels"))
                    : lack(spec, gate.get()))
        .map(why -> without(spec, why))
        .orElseGet(() -> with(spec));
  }

  private static Optional<Statement> lack(SweepSpec spec, Workload gate) {
    return gate.preflight(spec).stream().findFirst().map(Workload.SetupProblem::found);
  }

  private static Optional<Statement> refusal(SweepSpec spec, Instant now) {
    Optional<Boolean> asked = spec.policy().nodeGate();
    if (asked.isPresent()) {
      return asked.get() ? Optional.empty() : Optional.of(Statement.phrase("node-policy"));
    }
    return spec.plan().checksNodes() || length(spec, now).compareTo(NIGHT) >= 0
        ? Optional.empty()
        : Optional.of(Statement.phrase("node-short", NIGHT.toHours()));
  }

  private static Duration length(SweepSpec spec, Instant now) {
    Budget budget = spec.budget();
    return budget
        .deadline(now)
        .map(end -> Duration.between(now, end))
        .or(() -> budget.runningTime(spec.cell().nodes().size()))
        .orElseGet(
            () ->
                spec.policy()
                    .jobBeforeAnyWasTimed()
                    .multipliedBy(budget.jobs().orElse(Integer.MAX_VALUE)));
  }

  private static SweepSpec with(SweepSpec spec) {
    Plan plan = spec.plan();
    if (plan.checksNodes()) {
      return spec;
    }
    return spec.with(plan.withWaves(NodeChecks::around));
  }

  private static List<Wave> around(List<Wave> waves) {
    List<Wave> checked = new ArrayList<>();
    checked.add(wave(Wave.NODE_GATE, "why-node-gate"));
    checked.addAll(waves);
    checked.add(wave(DAWN, "why-node-gate-dawn"));
    return List.copyOf(checked);
  }

  private static Wave wave(String name, String why) {
    return new Wave(
        name, Wave.Kind.NODE_GATE, List.of(), Wave.When.ALWAYS, 1, Statement.phrase(why));
  }

  private static SweepSpec without(SweepSpec spec, Statement why) {
    return spec.with(
        spec.plan()
            .withWaves(NodeChecks::unchecked)
            .with(new Plan.NotApplicable(Wave.NODE_GATE, why)));
  }

  private static List<Wave> unchecked(List<Wave> waves) {
    return waves.stream().filter(w -> w.kind() != Wave.Kind.NODE_GATE).toList();
  }
}
