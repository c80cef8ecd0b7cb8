package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The environment variables of the daemon, which may differ from those of this command. */
final class DaemonEnvironment {
  private DaemonEnvironment() {}

  /**
   * The variables of the running daemon; without one, this command's own, which a new daemon would
   * inherit.
   */
  static Map<String, String> of(DaemonClient client) {
    return client
        .ping()
        .map(Reply.Pong::pid)
        .flatMap(DaemonEnvironment::of)
        .orElseGet(System::getenv);
  }

  /** Empty where Linux does not show them, as on a machine that hides other users' processes. */
  static Optional<Map<String, String>> of(long pid) {
    try {
      String all =
          new String(
              Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ")),
              StandardCharsets.UTF_8);
      Map<String, String> variables = new TreeMap<>();
      for (String variable : all.split("\0")) {
        int equals = variable.indexOf('=');
        if (equals > 0) {
          variables.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
      }
      return Optional.of(variables);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
