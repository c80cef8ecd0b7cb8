package io.nightsweep.sweep;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where a sweep stands as a whole. */
public sealed interface Phase {
  record NotStarted() implements Phase {}

  record Running() implements Phase {}

  /** On a person's word; running jobs end and are measured. */
  record Paused() implements Phase {}

  /** On the daemon's own judgement, by event {@code seq}; waits for a person. */
  record Halted(long seq, Instant at, HaltCause cause, List<String> failingNodes)
      implements Phase {}

  /**
   * @param halted as the sweep stood when a person stopped it; empty where it was not halted
   */
  record Stopping(Command.Stop.Mode mode, Optional<Halted> halted) implements Phase {}

  /**
   * @param halted what had halted the sweep that a person stopped; empty for every other end
   */
  record Finished(
      Event.SweepFinished.SweepOutcome outcome, SweepEnding ending, Optional<Halted> halted)
      implements Phase {}
}
