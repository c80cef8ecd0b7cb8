package io.nightsweep.triage;

import java.util.Map;
import java.util.Optional;

/** Signals of Linux that end jobs. */
final class Signals {
  /** Exit codes above this one stand for the signal with the rest as its number. */
  private static final int BASE = 128;

  static final int KILL = 9;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(6, "SIGABRT"),
          Map.entry(7, "SIGBUS"),
          Map.entry(8, "SIGFPE"),
          Map.entry(KILL, "SIGKILL"),
          Map.entry(10, "SIGUSR1"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(12, "SIGUSR2"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"));

  private Signals() {}

  /** Number and name of the signal that the exit code stands for, such as "9 (SIGKILL)". */
  static Optional<String> of(int exitCode) {
    return Optional.ofNullable(NAMES.get(exitCode - BASE))
        .map(name -> (exitCode - BASE) + " (" + name + ")");
  }

  static boolean isKill(int exitCode) {
    return exitCode == BASE + KILL;
  }
}
