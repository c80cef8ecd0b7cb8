package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * How a job ended, and who says so.
 *
 * @param exitCode 0 to 255; 128 + n where signal n ended it
 * @param startedAt absent where the job never started
 */
public record JobEnd(
    State state, int exitCode, Optional<Instant> startedAt, Instant endedAt, Source source) {

  public enum State {
    COMPLETED,
    FAILED,
    CANCELLED,
    TIME_LIMIT,
    OUT_OF_MEMORY,
    NODE_FAIL,
    PREEMPTED,
    REQUEUED,
    NEVER_STARTED,
    /** Gone from every source; neither success nor failure until the log is read. */
    VANISHED,
    /** A second job of an intent that was already claimed. */
    DUPLICATE
  }

  /** In order of precedence: the job's own record outranks the cluster's books. */
  public enum Source {
    EXIT_RECORD,
    ACCOUNTING,
    CONTROLLER,
    QUEUE
  }
}
