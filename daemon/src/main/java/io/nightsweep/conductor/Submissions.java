package io.nightsweep.conductor;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.util.List;
import java.util.Optional;

/** Keeps the pinned nodes busy: the next job is queued before the last one ends. */
final class Submissions {
  private Submissions() {}

  static List<Decision> next(View view) {
    SweepState s = view.state();
    if (!Trials.isRunning(s)
        || s.clusterOutage().isPresent()
        || s.storageFailure().isPresent()
        || Remedies.isAnyUnderWay(s)
        || s.inFlight().size() >= s.spec().policy().jobsInFlight()) {
      return List.of();
    }
    Optional<TrialState> trial = nextTrial(s);
    if (trial.isEmpty()) {
      return List.of();
    }
    if (view.allowance().spendableOn(waveOf(s, trial.get())) <= 0) {
      // What is in flight may show that nothing is worth a confirmation, whose share is free then.
      return !s.inFlight().isEmpty() ? List.of() : overBudget(s, trial.get());
    }
    return List.of(
        new Decision.Submit(
            trial.get().nextAttempt(),
            Trials.isRetry(trial.get())
                ? "the remedy is done"
                : "it is the next trial of its wave"));
  }

  /**
   * A check of the nodes, with nothing beside it; then retries, so that a block stays together in
   * time; then in planned order.
   */
  private static Optional<TrialState> nextTrial(SweepState s) {
    List<TrialState> ready = s.open().values().stream().filter(t -> Trials.isReady(s, t)).toList();
    if (NodeGate.isAwaited(s)) {
      return ready.stream().filter(NodeGate::isCheck).findFirst();
    }
    return ready.stream()
        .filter(Trials::isRetry)
        .findFirst()
        .or(() -> inPlannedOrder(s).filter(t -> Trials.isReady(s, t)));
  }

  private static Optional<TrialState> inPlannedOrder(SweepState s) {
    return s.waves().stream()
        .filter(WaveState::isOpen)
        .flatMap(w -> w.trials().stream())
        .map(s::trial)
        .filter(TrialState::isWaiting)
        .findFirst();
  }

  private static List<Decision> overBudget(SweepState s, TrialState trial) {
    Wave.Kind kind = waveOf(s, trial).kind();
    return s.waves().stream()
        .filter(WaveState::isOpen)
        .filter(w -> w.wave().kind() == kind)
        .flatMap(w -> w.trials().stream())
        .map(s::trial)
        .filter(t -> Trials.isReady(s, t))
        .<Decision>map(
            t ->
                new Decision.Append(
                    new Event.TrialClosed(
                        t.trial().id(), new Disposition.Dropped(new Cause.BudgetSpent(kind))),
                    "what is left of the budget is kept for other waves"))
        .toList();
  }

  private static Wave waveOf(SweepState s, TrialState trial) {
    return s.wave(trial.trial().wave()).orElseThrow().wave();
  }
}
