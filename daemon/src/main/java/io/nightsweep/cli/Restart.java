package io.nightsweep.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a stuck daemon immediately and starts another one. Nothing is lost: the journals are
 * complete at any moment, and jobs belong to the cluster.
 */
final class Restart {
  /** EX_TEMPFAIL of sysexits.h. */
  private static final int EXIT_CODE = 75;

  /** The owner's lock becomes free when this process has ended. */
  private static final String SUCCESSOR = "sleep 2; exec \"$@\"";

  private static final Logger log = LoggerFactory.getLogger(Restart.class);

  private Restart() {}

  /**
   * Never returns. A thread that is blocked in the kernel can only be ended with its whole process.
   */
  static void now(String because) {
    log.error("{}; the daemon ends and is started again", because);
    if (!isUnderSystemd(System.getenv())) {
      try {
        new ProcessBuilder(successor()).inheritIO().start();
      } catch (IOException e) {
        log.error("no other daemon could be started; run: nightsweep start", e);
      }
    }
    Runtime.getRuntime().halt(EXIT_CODE);
  }

  /** Under systemd the unit's own Restart= starts the next daemon. */
  private static boolean isUnderSystemd(Map<String, String> environment) {
    return environment.containsKey("INVOCATION_ID");
  }

  /**
   * The command line that started this process, read from /proc, since a process handle truncates
   * it at one memory page.
   */
  private static List<String> successor() throws IOException {
    List<String> command =
        new ArrayList<>(List.of("setsid", "--fork", "sh", "-c", SUCCESSOR, "nightsweep"));
    command.addAll(List.of(Files.readString(Path.of("/proc/self/cmdline")).split("\0")));
    return command;
  }
}
