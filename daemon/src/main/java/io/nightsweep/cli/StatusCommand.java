package io.nightsweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalCorruptException;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Tells how far the unfinished sweeps have come, or the latest; needs no daemon.")
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(names = "--json", description = "The same as JSON, one object on a line for each sweep.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    PrintWriter out = spec.commandLine().getOut();
    Instant now = Instant.now();
    int code = ExitCode.OK;
    if (!json) {
      ScheduleCommand.news(state.directory()).forEach(out::println);
      out.flush();
    }
    for (SweepDirectory directory : state.candidates()) {
      try {
        SweepState read = StateOptions.open(directory).state();
        if (read.phase() instanceof Phase.NotStarted) {
          out.println(directory.id() + ": its start was not recorded; remove " + directory.root());
          continue;
        }
        Progress progress = Progress.of(read, now);
        if (json) {
          out.println(Json.mapper().writeValueAsString(line(progress)));
        } else {
          Display.lines(progress, now).forEach(out::println);
          Display.whyHalted(read).ifPresent(out::println);
          new DaemonWord(state.directory()).about(progress).forEach(out::println);
        }
      } catch (JournalCorruptException e) {
        spec.commandLine().getErr().println(directory.id() + ": " + e.getMessage());
        code = ExitCode.FAILED;
      }
    }
    out.flush();
    spec.commandLine().getErr().flush();
    return code;
  }

  /** The published form of a line has sentences where the state has causes. */
  private static ObjectNode line(Progress progress) {
    ObjectNode line = Json.mapper().valueToTree(progress);
    ObjectNode phase = (ObjectNode) line.get("phase");
    if (progress.phase() instanceof Phase.Halted halted) {
      phase.put("reason", Sentences.of(halted.cause(), Phrases.EN));
      phase.put("tried", Sentences.tried(halted.cause(), Phrases.EN)).remove("cause");
    }
    if (progress.phase() instanceof Phase.Finished finished) {
      phase.put("conclusion", Sentences.of(finished.ending(), Phrases.EN)).remove("ending");
    }
    return line;
  }
}
