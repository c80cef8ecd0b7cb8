package io.nightsweep.cli;

import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.engine.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code nightsweep start} in a process of its own, with nobody at its terminal. */
final class CommandLineStart implements ScheduledStarts.Launch {
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final int MOST_CHARACTERS = 2_000;

  private final StateDirectory state;

  CommandLineStart(StateDirectory state) {
    this.state = state;
  }

  @Override
  public ScheduledStart.Outcome start(ScheduledStart start) throws InterruptedException {
    Instant at = Instant.now();
    List<String> command = new ArrayList<>(Background.thisProgram());
    command.addAll(
        List.of(
            "start",
            start.file().toString(),
            "--cluster",
            start.cluster().name(),
            "--state",
            state.root().toString()));
    Path output = state.root().resolve("scheduled").resolve(start.id() + ".log");
    try {
      Files.createDirectories(output.getParent());
      Process process =
          new ProcessBuilder(command)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new ScheduledStart.Outcome(at, false, "the start did not end in " + PATIENCE, false);
      }
      boolean isStarted = process.exitValue() == ExitCode.OK;
      return new ScheduledStart.Outcome(
          at, isStarted, said(Files.readAllLines(output), isStarted), false);
    } catch (IOException e) {
      return new ScheduledStart.Outcome(at, false, String.valueOf(e.getMessage()), false);
    }
  }

  /** Of a start that succeeded the sweep's name, else the last line. */
  private static String said(List<String> lines, boolean isStarted) {
    String line =
        lines.stream()
            .filter(l -> isStarted ? l.startsWith("started ") : !l.isBlank())
            .reduce((earlier, later) -> later)
            .orElse("nothing was said");
    return line.substring(0, Math.min(MOST_CHARACTERS, line.length()));
  }
}
