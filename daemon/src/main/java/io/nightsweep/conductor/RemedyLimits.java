package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How often a remedy is tried, and what happens if it does not help. */
public final class RemedyLimits {
  private RemedyLimits() {}

  /**
   * A failure class that only one candidate met may be caused by this candidate, so the candidate
   * is set aside. The sweep halts once another profile has met the class too.
   */
  static Remedy.Then afterLimit(SweepState s, TrialState t, AttemptState.RemedyState state) {
    Remedy remedy = state.remedy();
    boolean isOfOneCandidate =
        remedy.afterLimit() == Remedy.Then.HALT
            && remedy.scope() == Remedy.RemedyScope.PROFILE
            && !s.profile(t.trial().profile()).isBaseline()
            && s.trials().values().stream()
                .filter(o -> !o.trial().profile().equals(t.trial().profile()))
                .flatMap(o -> o.attempts().stream())
                .flatMap(o -> o.remedy().stream())
                .noneMatch(r -> r.failureClass().equals(state.failureClass()));
    return isOfOneCandidate ? Remedy.Then.SET_ASIDE : remedy.afterLimit();
  }

  /** A baseline is never dropped: without it nothing can be compared. */
  public static Remedy.Then bounded(SweepState s, TrialState t, Remedy.Then then) {
    boolean drops =
        then == Remedy.Then.DROP_PROFILE
            || then == Remedy.Then.SET_ASIDE
            || then == Remedy.Then.FAIL_TRIAL;
    if (!drops || !s.profile(t.trial().profile()).isBaseline()) {
      return then;
    }
    // If a probe or an evidence run fails, the sweep knows less but can still measure. The same
    // holds for one of several controls, if the remedy only fails the trial.
    boolean isOneOfMany = then == Remedy.Then.FAIL_TRIAL && isBaselineMeasured(s, t);
    return t.trial().purpose().isControl() && !isOneOfMany
        ? Remedy.Then.HALT
        : Remedy.Then.FAIL_TRIAL;
  }

  private static boolean isBaselineMeasured(SweepState s, TrialState t) {
    return s.countingTrials()
        .filter(o -> o.trial().configTag().equals(t.trial().configTag()))
        .filter(o -> s.profile(o.trial().profile()).isBaseline())
        .anyMatch(o -> o.measurement().isPresent());
  }

  static boolean isBeyondLimit(SweepState s, TrialState t, AttemptState.RemedyState state) {
    return state.stepsDone().stream().allMatch(d -> Remedies.isHardwareCheck(state, d.index()))
        && occurrences(s, t, state).size() > state.remedy().limit();
  }

  /**
   * The attempts, including the present one, that met this class in the remedy's scope since a
   * person last resumed the halted sweep.
   */
  static List<AttemptState> occurrences(
      SweepState s, TrialState t, AttemptState.RemedyState state) {
    Stream<TrialState> scope =
        switch (state.remedy().scope()) {
          case TRIAL -> Stream.of(t);
          case PROFILE ->
              s.trials().values().stream()
                  .filter(o -> o.trial().profile().equals(t.trial().profile()));
          case SWEEP -> s.trials().values().stream();
        };
    Instant resumed = lastResume(s).orElse(Instant.MIN);
    List<AttemptState> attempts =
        scope
            .flatMap(o -> o.attempts().stream())
            .filter(a -> a.judgement().isPresent())
            .filter(a -> a.intendedAt().isAfter(resumed) || a.id().equals(lastOf(t)))
            .sorted(Comparator.comparing(AttemptState::intendedAt))
            .toList();
    List<AttemptState> met = new ArrayList<>();
    for (AttemptState a : attempts) {
      boolean same =
          a.remedy().map(r -> r.failureClass().equals(state.failureClass())).orElse(false);
      if (same) {
        met.add(a);
      } else if (state.remedy().consecutive()
          && a.judgement().get() instanceof Judgement.Measured) {
        met.clear();
      }
    }
    return met;
  }

  private static AttemptId lastOf(TrialState t) {
    return t.lastAttempt().orElseThrow().id();
  }

  /**
   * When a person last resumed the halted sweep. The end of a pause does not count: nobody looked
   * for a fault or repaired one.
   */
  static Optional<Instant> lastResume(SweepState s) {
    return s.commands().stream()
        .filter(SweepState.CommandRecord::endsHalt)
        .map(SweepState.CommandRecord::at)
        .reduce((first, second) -> second);
  }
}
