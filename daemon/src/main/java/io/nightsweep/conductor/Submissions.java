package io.nightsweep.conductor;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Retry;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Keeps the pinned nodes busy by queueing the next job before the last one ends. */
final class Submissions {
  private Submissions() {}

  static List<Decision> next(View view) {
    SweepState s = view.state();
    Optional<TrialState> trial = maySubmit(s) ? nextTrial(view) : Optional.empty();
    return trial.isEmpty()
        ? List.of()
        : submit(s, trial.get(), view.allowance().spendableOnPlanned(waveOf(s, trial.get())));
  }

  /**
   * Submits candidates that were kept back once no result is awaited and nothing else is left to
   * plan.
   */
  static List<Decision> keptBack(View view) {
    SweepState s = view.state();
    Optional<TrialState> trial =
        maySubmit(s) ? inPlannedOrder(s).filter(view::isKeptBack).findFirst() : Optional.empty();
    if (trial.isEmpty()
        || !Turns.mayBegin(s)
        || NodeGate.isAwaited(s)
        || !Fit.deciding(view).isEmpty()) {
      return List.of();
    }
    Wave wave = waveOf(s, trial.get());
    Optional<Cause> spared = Waves.notNeeded(view, wave);
    if (spared.isPresent()) {
      return drop(s, wave.kind(), spared.get(), Statement.phrase("because-none-needed"));
    }
    return submit(s, trial.get(), view.allowance().spendableInTheEnd(wave));
  }

  private static boolean maySubmit(SweepState s) {
    return Trials.isRunning(s)
        && Turns.hasTurn(s)
        && s.clusterOutage().isEmpty()
        && !Remedies.isAnyUnderWay(s)
        && s.inFlight().size() < s.spec().policy().jobsInFlight();
  }

  private static List<Decision> submit(SweepState s, TrialState trial, int jobs) {
    if (jobs <= 0) {
      // A running job may show that no profile is worth confirming, which frees that share.
      Wave.Kind kind = waveOf(s, trial).kind();
      return !s.inFlight().isEmpty()
          ? List.of()
          : drop(s, kind, new Cause.BudgetSpent(kind), Statement.phrase("because-kept"));
    }
    return List.of(
        new Decision.Submit(
            trial.nextAttempt(),
            Resubmission.due(s, trial)
                .map(Retry::said)
                .orElseGet(() -> Statement.phrase("because-next-trial"))));
  }

  /**
   * The next trial. A node check comes first and alone; then retries, so that the runs of a block
   * stay close in time; then planned order.
   */
  private static Optional<TrialState> nextTrial(View view) {
    SweepState s = view.state();
    List<TrialState> ready = s.open().values().stream().filter(t -> Trials.isReady(s, t)).toList();
    if (NodeGate.isAwaited(s)) {
      return ready.stream().filter(NodeGate::isCheck).findFirst();
    }
    return ready.stream()
        .filter(Trials::isRetry)
        .findFirst()
        .or(() -> inPlannedOrder(s).filter(t -> !view.isKeptBack(t)).findFirst());
  }

  private static Stream<TrialState> inPlannedOrder(SweepState s) {
    return s.waves().stream()
        .flatMap(w -> w.trials().stream())
        .map(s::trial)
        .filter(TrialState::isWaiting);
  }

  private static List<Decision> drop(SweepState s, Wave.Kind kind, Cause why, Statement because) {
    return s.waves().stream()
        .filter(w -> w.wave().kind() == kind)
        .flatMap(w -> w.trials().stream())
        .map(s::trial)
        .filter(t -> Trials.isReady(s, t))
        .<Decision>map(
            t ->
                new Decision.Append(
                    new Event.TrialClosed(t.trial().id(), new Disposition.Dropped(why)), because))
        .toList();
  }

  private static Wave waveOf(SweepState s, TrialState trial) {
    return s.wave(trial.trial().wave()).orElseThrow().wave();
  }
}
