package io.nightsweep.cli;

import io.nightsweep.engine.Reply;

/** A command could not do its work; the message says what to do next. */
final class CliException extends Exception {
  private static final long serialVersionUID = 1L;
  private final int exitCode;

  CliException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Passes on why the daemon refused, if it did. */
  static void ifRefused(Reply reply) throws CliException {
    if (reply instanceof Reply.Refused refused) {
      throw new CliException(ExitCode.REFUSED, "refused: " + refused.reason());
    }
  }

  int exitCode() {
    return exitCode;
  }
}
