package io.nightsweep.conductor;

import io.nightsweep.judging.ImplausibleRun;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Standing;
import io.nightsweep.plan.WhatIsTrained;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event.SweepFinished.SweepOutcome;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of a sweep that ran to its end. */
public record Conclusion(SweepOutcome outcome, SweepEnding ending) {

  static Conclusion of(View view) {
    SweepState s = view.state();
    Optional<Standing> winner = Standings.winner(view.state(), view.board());
    if (winner.isPresent()) {
      return new Conclusion(
          SweepOutcome.WINNER,
          new SweepEnding.Won(
              winner.get().profile(),
              Interval.percent(Standings.publishedLogGain(winner.get())),
              winner.get().verdict().runs(),
              List.copyOf(WhatIsTrained.moved(s.profile(winner.get().profile())))));
    }
    boolean starved = !cut(s).isEmpty() || !leftOut(s).isEmpty();
    if (s.attempts().noneMatch(a -> a.measurement().isPresent()) || areAllCandidatesLost(s)) {
      return new Conclusion(
          starved ? SweepOutcome.BUDGET_SPENT : SweepOutcome.NO_WINNER,
          new SweepEnding.NothingMeasured(ends(s)));
    }
    Optional<SweepEnding> bounded = Search.bounded(view);
    if (bounded.isPresent()) {
      return new Conclusion(SweepOutcome.BOUNDED, bounded.get());
    }
    return starved
        ? new Conclusion(SweepOutcome.BUDGET_SPENT, new SweepEnding.BudgetSpent())
        : new Conclusion(SweepOutcome.NO_WINNER, new SweepEnding.NoneBetter());
  }

  /** Whether candidates ran, and each of them failed before it was measured once. */
  private static boolean areAllCandidatesLost(SweepState s) {
    List<TrialState> tried =
        s.trials().values().stream()
            .filter(t -> t.trial().purpose().measures() && !t.trial().purpose().isControl())
            .filter(t -> !s.profile(t.trial().profile()).isBaseline() && !t.attempts().isEmpty())
            .toList();
    return !tried.isEmpty()
        && tried.stream()
            .allMatch(
                t ->
                    t.disposition().filter(Disposition.Failed.class::isInstance).isPresent()
                        && t.attempts().stream().allMatch(a -> a.measurement().isEmpty()));
  }

  /** How the jobs ended, the most frequent end first. */
  private static List<SweepEnding.EndCount> ends(SweepState s) {
    Map<String, Long> ends =
        s.attempts()
            .flatMap(a -> a.judgement().stream())
            .collect(Collectors.groupingBy(Conclusion::end, TreeMap::new, Collectors.counting()));
    return ends.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(e -> new SweepEnding.EndCount(e.getKey(), e.getValue()))
        .toList();
  }

  private static String end(Judgement judgement) {
    return switch (judgement) {
      case Judgement.Failed f -> f.diagnosis().failureClass();
      case Judgement.Voided v -> KnownClasses.VOID;
      case Judgement.Duplicate d -> "duplicate";
      case Judgement.Done d -> "done";
      case Judgement.Measured m -> "measured";
    };
  }

  /** Names of the waves that the budget cut: skipped as a whole, or with some trials dropped. */
  public static List<String> cut(SweepState s) {
    return s.waves().stream()
        // A node check at dawn uses a job that is left over; no result depends on it.
        .filter(w -> w.wave().kind() != Wave.Kind.NODE_GATE)
        .filter(
            w ->
                w.skipped().filter(why -> why instanceof Cause.BudgetSpent).isPresent()
                    || w.trials().stream().map(s::trial).anyMatch(t -> isCut(t) && !isPutOff(s, t)))
        .map(w -> w.wave().name())
        .toList();
  }

  /** Candidates that were put off and for which no time was left. */
  public static List<String> leftOut(SweepState s) {
    return s.trials().values().stream()
        .filter(t -> isCut(t) && isPutOff(s, t) && t.trial().purpose() == Trial.Purpose.SCREEN)
        .map(t -> t.trial().profile())
        .distinct()
        .toList();
  }

  /** Profiles that were set aside as implausibly fast and that nobody has taken back. */
  public static List<String> implausible(SweepState s) {
    return setAside(s).filter(name -> backAs(s, name).isEmpty()).toList();
  }

  /**
   * A profile that was set aside as implausibly fast and that a person has taken back.
   *
   * @param as the name under which it came back
   */
  public record TakenBack(String profile, String as, Command.Origin by) {}

  public static List<TakenBack> takenBack(SweepState s) {
    return setAside(s)
        .flatMap(
            name ->
                backAs(s, name)
                    .flatMap(as -> whoAdded(s, as).map(by -> new TakenBack(name, as, by)))
                    .stream())
        .toList();
  }

  private static Stream<String> setAside(SweepState s) {
    return s.attempts()
        .filter(a -> a.isFailedAs(KnownClasses.IMPLAUSIBLE))
        .map(a -> s.trialOf(a.id()).profile())
        .filter(profile -> ImplausibleRun.isSetAside(s, profile))
        .distinct();
  }

  private static Optional<String> backAs(SweepState s, String aside) {
    return s.profiles().values().stream()
        .filter(p -> p.hash().equals(s.profile(aside).hash()) && ImplausibleRun.isTakenBack(s, p))
        .map(Profile::name)
        .filter(name -> !name.equals(aside))
        .findFirst();
  }

  private static Optional<Command.Origin> whoAdded(SweepState s, String profile) {
    return s.commands().stream()
        .filter(
            c ->
                c.command() instanceof Command.AddProfiles add
                    && add.profiles().stream().anyMatch(p -> p.name().equals(profile)))
        .map(SweepState.CommandRecord::origin)
        .findFirst();
  }

  private static boolean isPutOff(SweepState s, TrialState t) {
    return Fit.isPutOff(s, t.trial());
  }

  private static boolean isCut(TrialState t) {
    return t.disposition()
        .filter(
            d -> d instanceof Disposition.Dropped drop && drop.why() instanceof Cause.BudgetSpent)
        .isPresent();
  }
}
