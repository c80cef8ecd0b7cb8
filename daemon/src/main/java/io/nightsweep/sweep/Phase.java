package io.nightsweep.sweep;

import java.time.Instant;
import java.util.List;

/** Where a sweep stands as a whole. */
public sealed interface Phase {
  record NotStarted() implements Phase {}

  record Running() implements Phase {}

  /** On a person's word; running jobs end and are measured. */
  record Paused() implements Phase {}

  /** On the daemon's own judgement, by event {@code seq}; waits for a person. */
  record Halted(long seq, Instant at, HaltCause cause, List<String> failingNodes)
      implements Phase {}

  record Stopping(Command.Stop.Mode mode) implements Phase {}

  record Finished(Event.SweepFinished.SweepOutcome outcome, SweepEnding ending) implements Phase {}
}
