package io.nightsweep.plan;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import io.nightsweep.workload.WorkloadKind;
import io.nightsweep.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds parts of a valid sweep from which nothing can come. */
final class PlanDoubts {
  private static final Set<Wave.Kind> BRING_CANDIDATES =
      Set.of(Wave.Kind.SCREEN, Wave.Kind.RACE, Wave.Kind.STACK);

  private static final Set<Wave.Kind> NEED_A_WINNER =
      Set.of(Wave.Kind.CROSS_CHECK, Wave.Kind.WINNER_EVIDENCE);

  private PlanDoubts() {}

  /**
   * Profiles of the file that no wave tries or whose win nobody could deploy, candidates without a
   * later confirmation, and waves that need a winner before there can be one.
   */
  static List<Problem> of(Yaml.Mapping root, SweepSpec spec) {
    List<Problem> doubts = new ArrayList<>();
    Set<String> tried = Set.copyOf(spec.everyProfile().stream().map(p -> p.name()).toList());
    for (Yaml.YamlEntry written : root.mapping("profiles").entries().values()) {
      if (!tried.contains(written.key())) {
        doubts.add(
            Problem.of(
                written.keyPlace(),
                "no wave of the plan tries the profile '" + written.key() + "'",
                "expected a wave that selects it, and settings that a job can start with and that"
                    + " are not deployed already"));
      }
    }
    doubts.addAll(heldBack(root, spec, tried));
    Place plan = root.placeOf("plan");
    List<Wave> waves = spec.plan().waves();
    lastOf(waves, BRING_CANDIDATES::contains)
        .filter(wave -> !isConfirmedIn(waves.subList(waves.indexOf(wave), waves.size())))
        .ifPresent(
            wave ->
                doubts.add(
                    Problem.of(
                        plan,
                        "no candidate of the wave '" + wave.name() + "' can win",
                        "expected a wave of kind confirm behind it")));
    for (int i = 0; i < waves.size(); i++) {
      if (NEED_A_WINNER.contains(waves.get(i).kind()) && !isConfirmedIn(waves.subList(0, i))) {
        doubts.add(
            Problem.of(
                plan,
                "the wave '" + waves.get(i).name() + "' never runs",
                "expected a wave of kind confirm before it"));
      }
    }
    return doubts;
  }

  /** Profiles that change what is trained, where the file describes no run on real data. */
  private static List<Problem> heldBack(Yaml.Mapping root, SweepSpec spec, Set<String> tried) {
    if (WhatIsTrained.canBeValidated(spec)
        || Workloads.find(spec.workload()).flatMap(WorkloadKind::validation).isEmpty()) {
      return List.of();
    }
    List<Problem> doubts = new ArrayList<>();
    Map<String, Yaml.YamlEntry> written = root.mapping("profiles").entries();
    for (Profile profile : spec.profiles()) {
      Set<String> moved = WhatIsTrained.moved(profile);
      if (!moved.isEmpty()
          && tried.contains(profile.name())
          && written.containsKey(profile.name())) {
        doubts.add(
            Problem.of(
                written.get(profile.name()).keyPlace(),
                "the profile '%s' changes what is trained (%s), and nothing of it can be deployed if it wins"
                    .formatted(profile.name(), String.join(", ", moved)),
                "expected workload.validation: the settings of a run on real data, which"
                    + " 'nightsweep validate' makes after the sweep"));
      }
    }
    return doubts;
  }

  private static Optional<Wave> lastOf(List<Wave> waves, Predicate<Wave.Kind> kind) {
    return waves.reversed().stream().filter(wave -> kind.test(wave.kind())).findFirst();
  }

  private static boolean isConfirmedIn(List<Wave> waves) {
    return lastOf(waves, Wave.Kind.CONFIRM::equals).isPresent();
  }
}
