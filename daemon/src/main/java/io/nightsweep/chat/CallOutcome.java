package io.nightsweep.chat;

import io.nightsweep.sweep.Statement;
import java.time.Duration;
import java.util.Optional;

/** The outcome of one call to a recipient's service. */
sealed interface CallOutcome {
  /**
   * @param receipt identifies the message, for instance by its chat and number
   */
  record Sent(String receipt) implements CallOutcome {}

  /**
   * Certainly not sent; worth another try.
   *
   * @param retryAfter the wait that the service requests
   */
  record NotSent(Statement because, Optional<Duration> retryAfter) implements CallOutcome {}

  /** Certainly not sent; another try would fail in the same way. */
  record Refused(Statement because) implements CallOutcome {}

  /** The request was sent, and no answer came. */
  record Unknown(Statement because) implements CallOutcome {}
}
