package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.Optional;

/**
 * Who is submitted again: the trials that get another attempt after one that settled nothing, and
 * the intents whose job never reached the queue. No other class decides this.
 */
final class Resubmission {
  /** A job that ran something else is tried once more before the trial fails. */
  static final int VOID_ATTEMPTS = 2;

  private Resubmission() {}

  /** Whether the trial's last attempt is judged and another one follows it. */
  static boolean isDue(SweepState s, TrialState t) {
    Optional<AttemptState> last = t.lastAttempt();
    Optional<Judgement> judgement = last.flatMap(AttemptState::judgement);
    if (judgement.isEmpty()) {
      return false;
    }
    return switch (judgement.get()) {
      case Judgement.Measured j -> false;
      case Judgement.Done j -> false;
      case Judgement.Duplicate j -> true;
      case Judgement.Voided j -> voidAttempts(t) < VOID_ATTEMPTS;
      case Judgement.Failed j -> isCancelledByUs(last.get()) || isAllowed(s, last.get());
    };
  }

  /** The same for a run on real data, which no remedy follows: nobody waits for it at night. */
  static boolean isDueOnRequest(TrialState t) {
    Optional<Judgement> judgement = t.lastAttempt().flatMap(AttemptState::judgement);
    return judgement.filter(Judgement.Duplicate.class::isInstance).isPresent()
        || (judgement.filter(Judgement.Voided.class::isInstance).isPresent()
            && t.attempts().size() < VOID_ATTEMPTS);
  }

  /** What becomes of an intent whose job is known not to have been queued. */
  static Unanswered ofIntent(SweepState s, AttemptState attempt, Instant now) {
    boolean late = s.deadline().filter(deadline -> !now.isBefore(deadline)).isPresent();
    if (!Trials.isRunning(s) || late || Cancellations.isLostCause(s, attempt)) {
      return Unanswered.GIVE_UP;
    }
    return Remedies.isAnyUnderWay(s) ? Unanswered.WAIT : Unanswered.SUBMIT_AGAIN;
  }

  /** A job that was cancelled for another reason than its own failure needs no remedy. */
  private static boolean isCancelledByUs(AttemptState a) {
    return a.cancelCause().isPresent() && a.givenUp().isEmpty();
  }

  /** Whether the end of its remedy allows another attempt; a halt does after a "resume". */
  private static boolean isAllowed(SweepState s, AttemptState a) {
    Optional<AttemptState.RemedyState> remedy = a.remedy();
    Optional<Remedy.Then> ended = remedy.flatMap(AttemptState.RemedyState::ended);
    return ended.isPresent()
        && switch (ended.get()) {
          case RESUBMIT -> true;
          case HALT ->
              RemedyLimits.lastResume(s).filter(remedy.get().begunAt()::isBefore).isPresent();
          case FAIL_TRIAL, DROP_PROFILE, SET_ASIDE, ACCEPT -> false;
        };
  }

  private static int voidAttempts(TrialState t) {
    return (int)
        t.attempts().stream()
            .flatMap(a -> a.judgement().stream())
            .filter(j -> j instanceof Judgement.Voided)
            .count();
  }
}
