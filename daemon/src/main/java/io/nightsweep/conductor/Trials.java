package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Cause.Need;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Closes each trial with its one disposition as soon as it is known. */
final class Trials {
  private Trials() {}

  static List<Decision> settle(View view) {
    SweepState s = view.state();
    Instant now = view.now();
    List<Decision> decisions = new ArrayList<>();
    s.open().values().forEach(t -> decisions.addAll(settle(s, t, now)));
    return decisions;
  }

  private static List<Decision> settle(SweepState s, TrialState t, Instant now) {
    Optional<AttemptState> last = t.lastAttempt();
    boolean inFlight = last.map(AttemptState::isInFlight).orElse(false);
    if (inFlight || last.map(a -> a.judgement().isEmpty()).orElse(false)) {
      return List.of();
    }
    Optional<Judgement> judgement = last.flatMap(AttemptState::judgement);
    if (judgement.isPresent() && judgement.get() instanceof Judgement.Measured) {
      return close(
          t, new Disposition.Measured(last.get().id()), Statement.phrase("because-measured"));
    }
    if (judgement.isPresent() && judgement.get() instanceof Judgement.Done) {
      return close(t, new Disposition.Measured(last.get().id()), Statement.phrase("because-did"));
    }
    Optional<Cause> dropped = causeToDrop(s, t);
    if (dropped.isPresent()) {
      return close(t, new Disposition.Dropped(dropped.get()), Statement.phrase("because-unwanted"));
    }
    if (judgement.isEmpty() || Resubmission.due(s, t).isPresent()) {
      return List.of();
    }
    return switch (judgement.get()) {
      case Judgement.Voided v ->
          close(
              t,
              new Disposition.Failed(KnownClasses.VOID, v.reason()),
              Statement.phrase("because-void-times", Resubmission.VOID_ATTEMPTS));
      case Judgement.Failed f ->
          NodeGate.isCheck(t)
              // If the nodes have a fault, the wave's first job and its remedies meet it first.
              ? close(t, failed(f.diagnosis()), Statement.phrase("because-node-not-checked"))
              : Remedies.next(s, t, last.get(), f.diagnosis(), now);
      case Judgement.Measured m -> List.of();
      case Judgement.Done d -> List.of();
      case Judgement.Duplicate d -> List.of();
    };
  }

  /** Whether the trial's first or next attempt may be submitted now. */
  static boolean isReady(SweepState s, TrialState t) {
    return t.isOpen() && (t.isWaiting() || Resubmission.due(s, t).isPresent());
  }

  static boolean isRetry(TrialState t) {
    return !t.attempts().isEmpty();
  }

  /** Closes all open trials of a stopped sweep; a trial with a failed job counts as failed. */
  static List<Decision> endAllOpen(SweepState s) {
    return s.open().values().stream()
        .<Decision>map(
            t ->
                new Decision.Append(
                    new Event.TrialClosed(
                        t.trial().id(),
                        failure(t).orElse(new Disposition.Dropped(new Cause.SweepStopped()))),
                    Statement.phrase("because-ends")))
        .toList();
  }

  private static Optional<Disposition> failure(TrialState t) {
    return t.lastAttempt()
        .filter(a -> !a.isCancelled())
        .flatMap(AttemptState::failure)
        .map(Trials::failed);
  }

  private static Disposition failed(Diagnosis diagnosis) {
    return new Disposition.Failed(diagnosis.failureClass(), diagnosis.detail());
  }

  private static Optional<Cause> causeToDrop(SweepState s, TrialState t) {
    if (s.repinnedAfter().isPresent() && t.trial().id().compareTo(s.repinnedAfter().get()) <= 0) {
      return Optional.of(new Cause.NodesChanged());
    }
    Event.ProfileDropped dropped = s.dropped().get(t.trial().profile());
    if (dropped != null && !closesAsFailed(t)) {
      return Optional.of(dropped.why());
    }
    return Confirmations.isOrphaned(s, t.trial())
        ? Optional.of(new Cause.NotNeeded(Need.PROFILE_WORTH_CONFIRMING))
        : Optional.empty();
  }

  /**
   * Whether the trial caused its profile to be dropped; it then fails, and the profile's other
   * trials are dropped.
   */
  private static boolean closesAsFailed(TrialState t) {
    return t.lastAttempt()
        .flatMap(AttemptState::remedy)
        .flatMap(AttemptState.RemedyState::ended)
        .map(then -> then != Remedy.Then.RESUBMIT && then != Remedy.Then.HALT)
        .orElse(false);
  }

  private static List<Decision> close(TrialState t, Disposition disposition, Statement because) {
    return Decision.append(new Event.TrialClosed(t.trial().id(), disposition), because);
  }

  static boolean isRunning(SweepState s) {
    return s.phase() instanceof Phase.Running;
  }
}
