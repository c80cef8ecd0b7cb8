package io.nightsweep.cli;

import io.nightsweep.journal.Json;
import io.nightsweep.report.Causes;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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

  @Option(names = "--path", description = "Print only its path.")
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

  @Option(
      names = "--evidence",
      description = "What the evidence shows, each finding with the files that it rests on.")
  private boolean evidence;

  private record FindingJson(
      String kind,
      String attempt,
      String profile,
      String statement,
      SortedMap<String, Double> figures,
      List<String> sources) {
    static FindingJson of(SweepState s, Finding f) {
      return new FindingJson(
          f.kind(),
          f.attempt().toString(),
          s.trialOf(f.attempt()).profile(),
          Phrases.EN.text(f.statement()),
          f.figures(),
          f.sources());
    }
  }

  @Override
  public Integer call() throws IOException, CliException {
    StateOptions.Chosen sweep = state.chosen();
    if (evidence) {
      findings(sweep.state());
      return ExitCode.OK;
    }
    if (json) {
      spec.commandLine().getOut().println(ReportWriter.figures(sweep.state()));
      return ExitCode.OK;
    }
    ReportWriter.write(
        sweep.directory().reports(), sweep.directory().modelReports(), sweep.state());
    Path page = ReportWriter.page(sweep.directory().reports(), sweep.state(), language);
    PrintWriter out = spec.commandLine().getOut();
    out.print(pathOnly ? page + "\n" : Files.readString(page));
    return ExitCode.OK;
  }

  private void findings(SweepState s) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Finding> shown = s.findings().stream().filter(Finding::isForPeople).toList();
    for (Finding f : shown) {
      out.println(
          json
              ? Json.mapper().writeValueAsString(FindingJson.of(s, f))
              : Terminal.plain(
                  f.attempt()
                      + "  "
                      + f.kind()
                      + ": "
                      + Phrases.EN.text(f.statement())
                      + "  ["
                      + String.join("; ", f.sources())
                      + "]"));
    }
    if (shown.isEmpty() && !json) {
      out.println("no evidence: " + whyNone(s));
    }
    out.flush();
  }

  private static String whyNone(SweepState s) {
    List<WaveState> profiling =
        s.waves().stream()
            .filter(w -> w.is(Wave.Kind.EVIDENCE) || w.is(Wave.Kind.WINNER_EVIDENCE))
            .toList();
    return profiling.isEmpty()
        ? "the plan " + s.spec().plan().template() + " has no wave that profiles a run"
        : profiling.stream()
            .map(w -> w.wave().name() + " " + whyNone(s, w))
            .collect(Collectors.joining("; "));
  }

  private static String whyNone(SweepState s, WaveState profiling) {
    return profiling
        .skipped()
        .map(why -> "was skipped, since " + Causes.ofWave(s, why, Phrases.EN))
        .orElse(
            profiling.isPending()
                ? "has not run yet"
                : profiling.isOpen() ? "is running" : "left nothing that could be read");
  }
}
