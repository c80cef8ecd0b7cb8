package io.nightsweep.chat;

import java.time.Duration;
import java.util.Optional;

/** What became of one call of a recipient's service. */
sealed interface CallOutcome {
  /**
   * @param receipt by which the message is known, such as its chat and its number there
   */
  record Sent(String receipt) implements CallOutcome {}

  /**
   * Certainly not sent, and worth another try.
   *
   * @param retryAfter what the service asks for
   */
  record NotSent(String because, Optional<Duration> retryAfter) implements CallOutcome {}

  /** Certainly not sent, and another try would end the same way. */
  record Refused(String because) implements CallOutcome {}

  /** The request left, and no answer came. */
  record Unknown(String because) implements CallOutcome {}
}
