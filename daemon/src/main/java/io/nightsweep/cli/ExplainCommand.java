package io.nightsweep.cli;

import io.nightsweep.engine.Explanation;
import io.nightsweep.journal.Json;
import io.nightsweep.report.ComparedRuns;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Tells what was decided, why, and which events led to it.")
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Parameters(
      paramLabel = "ABOUT",
      arity = "0..1",
      description =
          "A trial (t0012), an attempt (t0012a1), a profile, a wave, or 'last' (default: everything).")
  private Optional<String> about = Optional.empty();

  @Option(names = "--last", description = "Only the last N (default: 20; 0: all).")
  private int last = 20;

  @Option(names = "--json", description = "One object on a line for each decision.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    StateOptions.Chosen sweep = state.chosen();
    Explanation explanation = Explanation.of(sweep.directory(), sweep.state(), about, last);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      for (Explanation.Step step : explanation.steps()) {
        out.println(Json.mapper().writeValueAsString(step));
      }
      out.flush();
      return ExitCode.OK;
    }
    if (explanation.steps().isEmpty()) {
      out.println("nothing was decided about " + about.orElse("this sweep"));
    }
    explanation.steps().forEach(step -> print(out, step));
    if (!explanation.runs().isEmpty()) {
      out.printf(
          "%nruns of %s, each against the baseline of its own time:%n",
          about.flatMap(a -> ComparedRuns.profile(sweep.state(), a)).orElseThrow());
      explanation.runs().forEach(line -> out.println(Terminal.plain(line)));
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void print(PrintWriter out, Explanation.Step step) {
    for (Explanation.Happened event : step.after()) {
      out.printf("%s  #%d  %s%n", time(event.at()), event.seq(), Terminal.plain(event.words()));
    }
    out.printf(
        "%s  => %s%n           because %s%n",
        time(step.at()), Terminal.plain(step.decision()), Terminal.plain(step.because()));
  }

  private static String time(Instant at) {
    return at.toString().substring(0, 19).replace('T', ' ');
  }
}
