package io.nightsweep.cli;

import io.nightsweep.asked.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands of this program in separate processes without a terminal, so that a failing command
 * cannot harm the daemon that runs it for an absent person.
 */
final class ChildCommands implements Commands {
  /** A start runs a rehearsal and queries the cluster, which may be slow. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  @Override
  public CommandResult run(List<String> arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(Background.thisProgram());
    command.addAll(arguments);
    try {
      Path output = Files.createTempFile("nightsweep", ".out");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
          return new CommandResult(ExitCode.FAILED, "", "it did not end in " + PATIENCE);
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        return new CommandResult(process.exitValue(), said, "");
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      return new CommandResult(ExitCode.FAILED, "", String.valueOf(e.getMessage()));
    }
  }
}
