package io.nightsweep.sweep;

/** Why a job is cancelled. The text is composed when it is read, in the reader's language. */
public enum CancelCause {
  /** Its profile has left the sweep, or its nodelist was given up. */
  LOST_CAUSE,
  /** It cannot succeed; the attempt holds the diagnosis. */
  GIVEN_UP,
  SWEEP_HALTED,
  SWEEP_STOPPED,
  /** Its submission is not known to have queued a job. */
  NEVER_QUEUED;

  public Statement said() {
    return Statement.phrase(
        switch (this) {
          case LOST_CAUSE -> "because-left";
          case GIVEN_UP -> "because-cannot-succeed";
          case SWEEP_HALTED -> "because-halted";
          case SWEEP_STOPPED -> "because-stopped";
          case NEVER_QUEUED -> "because-never-queued";
        });
  }
}
