package io.nightsweep.sweep;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The overall state of a sweep. */
public sealed interface Phase {
  record NotStarted() implements Phase {}

  record Running() implements Phase {}

  /** Paused by a person; running jobs end and are measured. */
  record Paused() implements Phase {}

  /** Halted by the daemon, with event {@code seq}; the sweep waits for a person. */
  record Halted(long seq, Instant at, HaltCause cause, List<String> failingNodes)
      implements Phase {}

  /**
   * @param halted the halt in force when a person stopped the sweep; empty if it was not halted
   */
  record Stopping(Command.Stop.Mode mode, Optional<Halted> halted) implements Phase {}

  /**
   * @param halted the halt of a sweep that a person stopped; empty for every other end
   */
  record Finished(
      Event.SweepFinished.SweepOutcome outcome, SweepEnding ending, Optional<Halted> halted)
      implements Phase {}
}
