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

/** The variables with which the daemon was started, which may be others than this command's. */
final class DaemonEnvironment {
  private DaemonEnvironment() {}

  /** Those of the daemon that runs; this command's own where none does, as one would inherit it. */
  static Map<String, String> of(DaemonClient client) {
    return client
        .ping()
        .map(Reply.Pong::pid)
        .flatMap(DaemonEnvironment::of)
        .orElseGet(System::getenv);
  }

  /** Empty where Linux does not show it, as on a machine whose administrator hides processes. */
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
