package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Retry;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The only class that decides what is submitted again and why: trials that get another attempt
 * after an inconclusive one, and intents whose job never reached the queue.
 */
public final class Resubmission {
  /** A trial whose job ran something else gets one more attempt before it fails. */
  static final int VOID_ATTEMPTS = 2;

  private Resubmission() {}

  /**
   * The reason for another attempt, if the trial's last attempt is judged and another one follows.
   */
  static Optional<Retry> due(SweepState s, TrialState t) {
    Optional<AttemptState> last = t.lastAttempt();
    return last.flatMap(Resubmission::ground)
        .filter(
            why ->
                switch (why) {
                  case Retry.RanOtherwise r -> voidAttempts(t) < VOID_ATTEMPTS;
                  case Retry.HaltResumed r -> isResumedSince(s, last.get());
                  case Retry.Duplicated r -> true;
                  case Retry.CancelledBySweep r -> true;
                  case Retry.Remedied r -> true;
                  case Retry.Unqueued r -> true;
                });
  }

  /**
   * As {@link #due} for a run on real data. No remedy follows it, since nobody waits for it at
   * night.
   */
  static Optional<Retry> dueOnRequest(TrialState t) {
    return t.lastAttempt()
        .flatMap(Resubmission::ground)
        .filter(
            why ->
                why instanceof Retry.Duplicated
                    || (why instanceof Retry.RanOtherwise && t.attempts().size() < VOID_ATTEMPTS));
  }

  /** Why the attempt's job was submitted again; empty for the first submission of a trial. */
  public static Optional<Retry> of(SweepState s, AttemptState attempt) {
    int before = attempt.id().attempt() - 2;
    if (attempt.submission().repeats() > 0) {
      return Optional.of(new Retry.Unqueued());
    }
    return before < 0 ? Optional.empty() : ground(s.trial(attempt.id()).attempts().get(before));
  }

  /**
   * Submits intents again whose submission queued no job, or gives them up. Others wait for a
   * remedy at work on the nodes or for the cluster's answer.
   */
  static List<Decision> ofUnqueued(View view) {
    SweepState s = view.state();
    List<Decision> decisions = new ArrayList<>();
    for (AttemptState a : s.inFlight()) {
      if (a.isUnqueued() && !isWanted(s, a, view.now())) {
        decisions.add(
            new Decision.Cancel(a.id(), CancelCause.NEVER_QUEUED, CancelCause.NEVER_QUEUED.said()));
      } else if (a.isUnqueued() && s.clusterOutage().isEmpty() && !Remedies.isAnyUnderWay(s)) {
        decisions.add(new Decision.Submit(a.id(), new Retry.Unqueued().said()));
      }
    }
    return decisions;
  }

  private static boolean isWanted(SweepState s, AttemptState a, Instant now) {
    boolean late = s.deadline().filter(deadline -> !now.isBefore(deadline)).isPresent();
    return Trials.isRunning(s) && !late && !Cancellations.isLostCause(s, a);
  }

  /** The reason for an attempt after this one; empty if none may follow. */
  private static Optional<Retry> ground(AttemptState a) {
    return a.judgement()
        .flatMap(
            judgement ->
                switch (judgement) {
                  case Judgement.Measured j -> Optional.empty();
                  case Judgement.Done j -> Optional.empty();
                  case Judgement.Duplicate j -> Optional.of(new Retry.Duplicated());
                  case Judgement.Voided j -> Optional.of(new Retry.RanOtherwise(j.reason()));
                  // A job that was cancelled for a reason other than its failure needs no remedy.
                  case Judgement.Failed j ->
                      a.givenUp().isEmpty() && a.cancelCause().isPresent()
                          ? a.cancelCause().map(Retry.CancelledBySweep::new)
                          : a.remedy().flatMap(Resubmission::ground);
                });
  }

  private static Optional<Retry> ground(AttemptState.RemedyState remedy) {
    return remedy
        .ended()
        .flatMap(
            then ->
                switch (then) {
                  case RESUBMIT -> Optional.of(new Retry.Remedied(remedy.failureClass()));
                  case HALT -> Optional.of(new Retry.HaltResumed(remedy.failureClass()));
                  case FAIL_TRIAL, DROP_PROFILE, SET_ASIDE, ACCEPT -> Optional.empty();
                });
  }

  private static boolean isResumedSince(SweepState s, AttemptState a) {
    return RemedyLimits.lastResume(s)
        .filter(a.remedy().orElseThrow().begunAt()::isBefore)
        .isPresent();
  }

  private static int voidAttempts(TrialState t) {
    return (int)
        t.attempts().stream()
            .flatMap(a -> a.judgement().stream())
            .filter(j -> j instanceof Judgement.Voided)
            .count();
  }
}
