package io.nightsweep.chat;

import java.time.Duration;
import java.util.Optional;

/** What became of one call of the Bot API. */
sealed interface Outcome {
  /**
   * @param messageId of the message, in its chat
   */
  record Sent(int messageId) implements Outcome {}

  /**
   * Certainly not sent, and worth another try.
   *
   * @param retryAfter what Telegram asks for
   */
  record NotSent(String because, Optional<Duration> retryAfter) implements Outcome {}

  /** Certainly not sent, and another try would end the same way. */
  record Refused(String because) implements Outcome {}

  /** The request left, and no answer came. */
  record Unknown(String because) implements Outcome {}
}
