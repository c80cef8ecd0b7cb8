package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * How a job ended, and which source reports it.
 *
 * @param exitCode 0 to 255; 128 + n if signal n ended it
 * @param startedAt absent if the job never started
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
    /**
     * No source knows the job any more; this is neither success nor failure until the log is read.
     */
    VANISHED,
    /** A second job for an intent that was already claimed. */
    DUPLICATE
  }

  /** In order of precedence: the job's own record outranks the cluster's accounting. */
  public enum Source {
    EXIT_RECORD,
    ACCOUNTING,
    CONTROLLER,
    QUEUE
  }
}
