package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StopTriggers;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Halts the sweep on patterns of failures across several jobs. */
final class Triggers {
  private static final Set<String> OF_NODES =
      Set.of(KnownClasses.NODE_DOWN, KnownClasses.NODE_FAIL);

  private Triggers() {}

  static List<Decision> judge(View view) {
    SweepState s = view.state();
    StopTriggers triggers = s.spec().playbook().stop();
    // Most often there is no failed attempt, and then no trigger can fire.
    if (s.attempts().noneMatch(Triggers::isBad)) {
      return List.of();
    }
    List<AttemptState> judged = judgedSinceResume(s);
    return sameFailure(s, judged, triggers.sameFailureProfiles())
        .or(() -> nothingButVoid(s, judged, triggers.sameFailureProfiles()))
        .or(() -> failedNodes(s, judged, triggers.failedNodesPerWave()))
        .<List<Decision>>map(halted -> Decision.append(halted, Statement.phrase("because-trigger")))
        .orElse(List.of());
  }

  private static Optional<Event.SweepHalted> sameFailure(
      SweepState s, List<AttemptState> judged, int limit) {
    Set<String> profiles = new TreeSet<>();
    String failureClass = "";
    Statement detail = Statement.words("");
    for (AttemptState a : judged) {
      switch (a.judgement().orElseThrow()) {
        case Judgement.Failed f -> {
          if (!f.diagnosis().failureClass().equals(failureClass)) {
            profiles.clear();
          }
          failureClass = f.diagnosis().failureClass();
          detail = f.diagnosis().detail();
          profiles.add(s.trialOf(a.id()).profile());
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
                new HaltCause.EveryProfileFails(failureClass, List.copyOf(profiles), detail),
                List.of()))
        : Optional.empty();
  }

  /**
   * Halts if jobs end well without running what they should. Nothing can be measured in this way,
   * and without the baseline nothing can be compared.
   */
  private static Optional<Event.SweepHalted> nothingButVoid(
      SweepState s, List<AttemptState> judged, int limit) {
    Set<String> profiles = new TreeSet<>();
    int ofBaseline = 0;
    Statement found = Statement.words("");
    for (AttemptState a : judged) {
      switch (a.judgement().orElseThrow()) {
        case Judgement.Voided v -> {
          Trial trial = s.trialOf(a.id());
          profiles.add(trial.profile());
          ofBaseline += trial.purpose().isControl() ? 1 : 0;
          found = v.reason();
        }
        case Judgement.Measured m -> {
          profiles.clear();
          ofBaseline = 0;
        }
        case Judgement.Done d -> {}
        case Judgement.Failed f -> {}
        case Judgement.Duplicate d -> {}
      }
    }
    return limit > 0 && (ofBaseline >= Resubmission.VOID_ATTEMPTS || profiles.size() >= limit)
        ? Optional.of(
            new Event.SweepHalted(
                new HaltCause.NothingAsMeant(List.copyOf(profiles), found), List.of()))
        : Optional.empty();
  }

  private static Optional<Event.SweepHalted> failedNodes(
      SweepState s, List<AttemptState> judged, int limit) {
    if (limit <= 0) {
      return Optional.empty();
    }
    List<AttemptState> lost =
        judged.stream()
            .filter(a -> a.failure().filter(d -> OF_NODES.contains(d.failureClass())).isPresent())
            .toList();
    for (WaveState wave : s.waves()) {
      Map<String, Set<String>> accusers = new TreeMap<>();
      Set<String> nodes = new TreeSet<>();
      for (AttemptState a : lost) {
        if (wave.trials().contains(a.id().trial())) {
          String profile = s.trialOf(a.id()).profile();
          boolean isSure = isByTheCluster(a) || s.profile(profile).isBaseline();
          a.failure().stream()
              .flatMap(d -> d.subjects().stream())
              .filter(s.cell().nodes()::contains)
              .forEach(
                  node -> {
                    Set<String> of = accusers.computeIfAbsent(node, n -> new TreeSet<>());
                    of.add(profile);
                    if (isSure || of.size() > 1) {
                      nodes.add(node);
                    }
                  });
        }
      }
      if (nodes.size() >= limit) {
        return Optional.of(
            new Event.SweepHalted(
                new HaltCause.NodesFailed(nodes.size(), wave.wave().name()), List.copyOf(nodes)));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether the cluster itself reports the failure; a log alone may only show a candidate's crash.
   */
  private static boolean isByTheCluster(AttemptState a) {
    return a.end().filter(end -> end.state() != JobEnd.State.FAILED).isPresent()
        || a.givenUp().isPresent();
  }

  private static boolean isBad(AttemptState a) {
    return a.judgement()
        .filter(j -> j instanceof Judgement.Failed || j instanceof Judgement.Voided)
        .isPresent();
  }

  private static List<AttemptState> judgedSinceResume(SweepState s) {
    Instant since = RemedyLimits.lastResume(s).orElse(Instant.MIN);
    return s.attempts()
        .filter(a -> a.judgement().isPresent() && a.intendedAt().isAfter(since))
        .sorted(Comparator.comparing(AttemptState::intendedAt))
        .toList();
  }
}
