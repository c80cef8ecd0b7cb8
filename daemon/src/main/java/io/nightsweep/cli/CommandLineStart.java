package io.nightsweep.cli;

import io.nightsweep.asked.Commands;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.files.Masking;
import java.time.Instant;
import java.util.List;

/** Starts a sweep at its scheduled hour by the same command that a person would type. */
final class CommandLineStart implements ScheduledStarts.Starter {
  private static final int MOST_CHARACTERS = 2_000;

  private final StateDirectory state;
  private final Commands commands;

  CommandLineStart(StateDirectory state, Commands commands) {
    this.state = state;
    this.commands = commands;
  }

  @Override
  public ScheduledStart.StartOutcome start(ScheduledStart start) throws InterruptedException {
    Instant at = Instant.now();
    Commands.CommandResult outcome =
        commands.run(
            List.of(
                "start",
                start.file().toString(),
                "--cluster",
                start.cluster().name(),
                "--state",
                state.root().toString()));
    boolean isStarted = outcome.exit() == ExitCode.OK;
    return new ScheduledStart.StartOutcome(
        at, isStarted, said((outcome.out() + outcome.err()).lines().toList(), isStarted), false);
  }

  /** The sweep's name if the start succeeded, otherwise the last line. */
  private static String said(List<String> lines, boolean isStarted) {
    String line =
        lines.stream()
            .filter(l -> isStarted ? l.startsWith("started ") : !l.isBlank())
            .reduce((earlier, later) -> later)
            .map(Masking::of)
            .orElse("nothing was said");
    return line.substring(0, Math.min(MOST_CHARACTERS, line.length()));
  }
}
