package io.nightsweep.sweep;

/** What the conductor wants done next; the engine does it and journals what came of it. */
public sealed interface Decision {
  /** The grounds, for {@code nightsweep explain}. */
  Statement because();

  /** Nothing leaves the process: the event itself is the decision. */
  record Append(Event event, Statement because) implements Decision {}

  record Submit(AttemptId attempt, Statement because) implements Decision {}

  record Cancel(AttemptId attempt, CancelCause cause, Statement because) implements Decision {}

  /** Carry out one step of a begun remedy. */
  record TakeRemedyStep(AttemptId attempt, int index, Statement because) implements Decision {}
}
