package io.nightsweep.cli;

import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = "A live view until the sweep ends; leave it with Ctrl-C, the sweep goes on.")
final class WatchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(
      names = "--exit-status",
      description = "End at a halt too, and exit with 7 where no winner was confirmed.")
  private boolean exitStatus;

  @Option(
      names = "--json",
      description = "Prints what happened after --since, an object on a line each, and ends.")
  private boolean json;

  @Option(names = "--since", paramLabel = "SEQ", description = "The last event that is known.")
  private long since;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "With --json: how long to wait for the next event, at most 30 (default: 0).")
  private int wait;

  @Override
  public Integer call() throws IOException, CliException, InterruptedException {
    if (json) {
      if (wait < 0 || wait > 30) {
        throw new CliException(ExitCode.USAGE, "--wait " + wait + ": expected 0 to 30 seconds");
      }
      new EventFeed(state.chosen().directory())
          .print(spec.commandLine().getOut(), since, Duration.ofSeconds(wait));
      return ExitCode.OK;
    }
    SweepState end =
        new Watcher(spec.commandLine().getOut(), Terminal.shows(), new DaemonWord(state)::about)
            .follow(
                state.chosen().directory(), s -> exitStatus && s.phase() instanceof Phase.Halted);
    boolean won =
        end.phase() instanceof Phase.Finished f
            && f.outcome() == Event.SweepFinished.Outcome.WINNER;
    return exitStatus && !won ? ExitCode.NO_WINNER : ExitCode.OK;
  }
}
