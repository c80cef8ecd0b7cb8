package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "sweeps",
    mixinStandardHelpOptions = true,
    description = "Lists every sweep of the state directory.")
final class SweepsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(names = "--json", description = "One object on a line for each.")
  private boolean json;

  /**
   * A sweep in a line.
   *
   * @param phase one word
   */
  private record Line(
      String sweep, String phase, String model, String parallelism, Optional<Instant> startedAt) {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    int code = ExitCode.OK;
    if (!json && state.directory().all().isEmpty()) {
      out.println("no sweep in " + state.directory().root());
    }
    for (SweepDirectory directory : state.directory().all()) {
      try {
        SweepState read = StateOptions.open(directory).state();
        if (read.phase() instanceof Phase.NotStarted) {
          continue;
        }
        print(line(read), out);
      } catch (IOException e) {
        spec.commandLine().getErr().println(directory.id() + ": " + e.getMessage());
        code = ExitCode.FAILED;
      }
    }
    out.flush();
    spec.commandLine().getErr().flush();
    return code;
  }

  private void print(Line line, PrintWriter out) throws IOException {
    out.println(
        json
            ? Json.mapper().writeValueAsString(line)
            : "%-32s %-10s %s %s"
                .formatted(line.sweep(), line.phase(), line.model(), line.parallelism()));
  }

  private static Line line(SweepState s) {
    return new Line(
        s.sweep(),
        s.phase().getClass().getSimpleName().toLowerCase(Locale.ROOT),
        s.cell().model(),
        s.cell().parallelism(),
        s.startedAt());
  }
}
