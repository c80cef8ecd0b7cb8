package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The background daemon of a state directory. */
final class Background {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int IDLE_SECONDS = 600;

  private Background() {}

  /** Starts one in a session of its own, unless one answers. */
  static void ensure(StateDirectory state) throws IOException, CliException, InterruptedException {
    DaemonClient client = new DaemonClient(state);
    if (client.ping().isPresent()) {
      return;
    }
    state.create();
    Process process =
        new ProcessBuilder(command(state))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(state.log().toFile()))
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    Instant limit = Instant.now().plus(PATIENCE);
    while (client.ping().isEmpty()) {
      boolean died = !process.isAlive() && process.exitValue() != 0;
      if (died || Instant.now().isAfter(limit)) {
        throw new CliException(
            ExitCode.FAILED,
            "the daemon did not start; its log, " + state.log() + ", ends with:\n" + end(state));
      }
      Thread.sleep(100);
    }
  }

  private static String end(StateDirectory state) throws IOException {
    List<String> lines =
        Files.readAllLines(state.log()).stream().filter(l -> !l.isBlank()).toList();
    return lines.isEmpty() ? "(nothing)" : "  " + lines.getLast();
  }

  private static List<String> command(StateDirectory state) {
    List<String> command = new ArrayList<>(List.of("setsid", "--fork"));
    Path launcher = Places.home().resolve("nightsweep");
    if (Files.isExecutable(launcher)) {
      command.add(launcher.toString());
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    }
    command.addAll(
        List.of("serve", "--state", state.root().toString(), "--idle-exit", "" + IDLE_SECONDS));
    return command;
  }
}
