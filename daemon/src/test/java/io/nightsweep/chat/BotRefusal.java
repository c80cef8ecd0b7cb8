package io.nightsweep.chat;

/** An answer that is no success. */
final class BotRefusal extends Exception {
  private static final long serialVersionUID = 1L;
  final int code;
  final int retryAfterSeconds;

  BotRefusal(int code, String description, int retryAfterSeconds) {
    super(description);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  BotRefusal(int code, String description) {
    this(code, description, 0);
  }
}
