package io.nightsweep.cli;

/** Meanings of the program's exit status, the same as in {@code --help}. */
final class ExitCode {
  static final int OK = 0;

  /** The daemon or the machine failed; nothing was done. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** A file is wrong; every problem was printed with its place. */
  static final int INVALID_INPUT = 3;

  /** The daemon refused; the reason was printed. */
  static final int REFUSED = 4;

  /** No daemon answers, or there is no such sweep. */
  static final int NOT_FOUND = 5;

  /** {@code doctor} found something that must be fixed first. */
  static final int UNFIT = 6;

  /** The sweep ended or halted without a confirmed winner ({@code watch --exit-status}). */
  static final int NO_WINNER = 7;

  private ExitCode() {}
}
