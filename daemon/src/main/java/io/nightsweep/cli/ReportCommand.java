package io.nightsweep.cli;

import io.nightsweep.report.ReportWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Prints a sweep's report, written anew from its journal.")
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(names = "--path", description = "Only where it lies.")
  private boolean pathOnly;

  @Option(
      names = "--language",
      description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.",
      defaultValue = "EN")
  private ReportWriter.Language language = ReportWriter.Language.EN;

  @Option(
      names = "--json",
      description = "The leaderboard, the recipes and where they come from, as in tuning.json.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    StateOptions.Chosen sweep = state.chosen();
    if (json) {
      spec.commandLine().getOut().println(ReportWriter.figures(sweep.state()));
      spec.commandLine().getOut().flush();
      return ExitCode.OK;
    }
    ReportWriter.write(
        sweep.directory().reports(), sweep.directory().modelReports(), sweep.state());
    Path page = ReportWriter.page(sweep.directory().reports(), sweep.state(), language);
    PrintWriter out = spec.commandLine().getOut();
    out.print(pathOnly ? page + "\n" : Files.readString(page));
    out.flush();
    return ExitCode.OK;
  }
}
