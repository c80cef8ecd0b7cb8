package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.StopTriggers;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Halts on failures that say more together than each of them does. */
final class Triggers {
  private static final Set<String> OF_NODES = Set.of("node-down", "node-fail");

  private Triggers() {}

  static List<Decision> judge(View view) {
    SweepState s = view.state();
    StopTriggers triggers = s.spec().playbook().stop();
    return sameFailure(s, triggers.sameFailureProfiles())
        .or(() -> failedNodes(s, triggers.failedNodesPerWave()))
        .<List<Decision>>map(
            halted -> List.of(new Decision.Append(halted, "a stop trigger of the playbook fired")))
        .orElse(List.of());
  }

  private static Optional<Event.SweepHalted> sameFailure(SweepState s, int limit) {
    Set<String> profiles = new TreeSet<>();
    String failureClass = "";
    String detail = "";
    for (AttemptState a : judgedSinceResume(s)) {
      switch (a.judgement().orElseThrow()) {
        case Judgement.Failed f -> {
          if (!f.diagnosis().failureClass().equals(failureClass)) {
            profiles.clear();
          }
          failureClass = f.diagnosis().failureClass();
          detail = f.diagnosis().detail();
          profiles.add(s.trial(a.id().trial()).trial().profile());
        }
        case Judgement.Measured m -> profiles.clear();
        case Judgement.Done d -> profiles.clear();
        case Judgement.Voided v -> {}
        case Judgement.Duplicate d -> {}
      }
    }
    return limit > 0 && profiles.size() >= limit
        ? Optional.of(
            new Event.SweepHalted(
                "every profile fails as "
                    + failureClass
                    + " ("
                    + String.join(", ", profiles)
                    + "): look at the configuration, not at the profiles. "
                    + detail,
                List.of(),
                "each profile was tried as the playbook says"))
        : Optional.empty();
  }

  private static Optional<Event.SweepHalted> failedNodes(SweepState s, int limit) {
    if (limit <= 0) {
      return Optional.empty();
    }
    for (WaveState wave : s.waves()) {
      Set<String> nodes = new TreeSet<>();
      judgedSinceResume(s).stream()
          .filter(a -> wave.trials().contains(a.id().trial()))
          .flatMap(a -> failure(a).stream())
          .filter(d -> OF_NODES.contains(d.failureClass()))
          .flatMap(d -> d.subjects().stream())
          .filter(s.cell().nodes()::contains)
          .forEach(nodes::add);
      if (nodes.size() >= limit) {
        return Optional.of(
            new Event.SweepHalted(
                nodes.size() + " nodes failed in wave " + wave.wave().name(),
                List.copyOf(nodes),
                "the nodes were resumed where that was possible"));
      }
    }
    return Optional.empty();
  }

  private static Optional<Diagnosis> failure(AttemptState a) {
    return a.judgement()
        .flatMap(
            j -> j instanceof Judgement.Failed f ? Optional.of(f.diagnosis()) : Optional.empty());
  }

  private static List<AttemptState> judgedSinceResume(SweepState s) {
    Instant since = Remedies.lastResume(s).orElse(Instant.MIN);
    return s.trials().values().stream()
        .map(TrialState::attempts)
        .flatMap(List::stream)
        .filter(a -> a.judgement().isPresent() && a.intendedAt().isAfter(since))
        .sorted(Comparator.comparing(AttemptState::intendedAt))
        .toList();
  }
}
