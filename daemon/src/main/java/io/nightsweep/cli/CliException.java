package io.nightsweep.cli;

/** A command could not do its work; the message says what to do next. */
final class CliException extends Exception {
  private static final long serialVersionUID = 1L;
  private final int exitCode;

  CliException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
