package io.nightsweep.sweep;

/** What the conductor wants done next. The engine does it and journals the outcome. */
public sealed interface Decision {
  /** The grounds, for {@code nightsweep explain}. */
  Statement because();

  /** The event itself is the decision; nothing leaves the process. */
  record Append(Event event, Statement because) implements Decision {}

  record Submit(AttemptId attempt, Statement because) implements Decision {}

  record Cancel(AttemptId attempt, CancelCause cause, Statement because) implements Decision {}

  /** Carries out one step of a remedy that has begun. */
  record TakeRemedyStep(AttemptId attempt, int index, Statement because) implements Decision {}
}
