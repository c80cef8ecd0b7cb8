package io.nightsweep.cli;

import io.nightsweep.journal.Json;
import io.nightsweep.report.Progress;
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
    description = "Tells how far a sweep has come; needs no daemon.")
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(names = "--json", description = "The same as one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    Progress progress = Progress.of(state.chosen().state(), Instant.now());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.mapper().writeValueAsString(progress));
    } else {
      Display.lines(progress, Instant.now()).forEach(out::println);
    }
    out.flush();
    return ExitCode.OK;
  }
}
