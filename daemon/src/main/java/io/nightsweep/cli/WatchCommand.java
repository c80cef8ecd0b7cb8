package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Command.Origin;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@CommandLine.Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "A live view until the sweep ends: failures, leaderboard, jobs, nodes and events.",
      "Keys: p pauses or resumes (asks first), up and down choose a profile, e explains it, q"
          + " leaves; the sweep goes on.",
      "Without a terminal, it prints a line for each event, and one that says what it waits for."
          + " If NO_COLOR is set, there are no colours."
    })
final class WatchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(
      names = "--exit-status",
      description = "End at a halt too, and exit with 7 if no winner was confirmed.")
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
    SweepDirectory sweep = state.chosen().directory();
    SweepState end =
        follow(
            spec.commandLine().getOut(),
            state.directory(),
            sweep,
            s -> exitStatus && s.phase() instanceof Phase.Halted);
    boolean won =
        end.phase() instanceof Phase.Finished f
            && f.outcome() == Event.SweepFinished.SweepOutcome.WINNER;
    return exitStatus && !won ? ExitCode.NO_WINNER : ExitCode.OK;
  }

  /** Shows the full view on a capable terminal, else one line per event. */
  static SweepState follow(
      PrintWriter out, StateDirectory state, SweepDirectory sweep, Predicate<SweepState> until)
      throws IOException, InterruptedException {
    Typeable typeable = Typeable.about(state, sweep.id());
    if (!Terminal.canDraw()) {
      return new Watcher(typeable.before(out), new DaemonWord(state)).follow(sweep, until);
    }
    Ink ink = Ink.of(Terminal.encoding(), System.getenv());
    return new LiveScreen(typeable.before(out), ink, typeable, new Daemons(state))
        .follow(sweep, until);
  }

  /** Sends what the keys request to the daemon of a state folder. */
  private static final class Daemons implements LiveScreen.Controls {
    private final StateDirectory state;
    private final DaemonWord word;

    Daemons(StateDirectory state) {
      this.state = state;
      this.word = new DaemonWord(state);
    }

    @Override
    public String tell(SweepDirectory sweep, Command command) {
      try {
        return TellCommands.refusal(
                new DaemonClient(state),
                sweep.id(),
                command,
                new Origin(Origin.Door.CLI, System.getProperty("user.name", "unknown")))
            .map(reason -> "refused: " + reason)
            .orElse("the daemon has accepted it");
      } catch (IOException e) {
        return "no answer from the daemon; the current state is above";
      }
    }

    @Override
    public DaemonWord.Word word(Progress progress) throws IOException {
      return word.about(progress);
    }
  }
}
