package io.nightsweep.sweep;

import java.util.List;

/** What the conductor wants done next. The engine does it and journals the outcome. */
public sealed interface Decision {
  /** The grounds, for {@code nightsweep explain}. */
  Statement because();

  /** The one decision to journal an event. */
  static List<Decision> append(Event event, Statement because) {
    return List.of(new Append(event, because));
  }

  /** The event itself is the decision; nothing leaves the process. */
  record Append(Event event, Statement because) implements Decision {}

  record Submit(AttemptId attempt, Statement because) implements Decision {}

  record Cancel(AttemptId attempt, CancelCause cause, Statement because) implements Decision {}

  /** Carries out one step of a remedy that has begun. */
  record TakeRemedyStep(AttemptId attempt, int index, Statement because) implements Decision {}
}
