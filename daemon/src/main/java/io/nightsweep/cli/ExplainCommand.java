package io.nightsweep.cli;

import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.report.Words;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
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
    description = "Tells what was decided, why, and after which event.")
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Parameters(
      paramLabel = "ABOUT",
      arity = "0..1",
      description = "A trial (t0012), an attempt, a profile or a wave (default: everything).")
  private Optional<String> about = Optional.empty();

  @Option(names = "--last", description = "Only the last N (default: 20; 0: all).")
  private int last = 20;

  @Override
  public Integer call() throws IOException, CliException {
    StateOptions.Chosen sweep = state.chosen();
    List<FileDecisionLog.Line> lines =
        FileDecisionLog.read(sweep.directory().decisions()).stream()
            .filter(l -> about.isEmpty() || Words.of(l.decision()).contains(about.get()))
            .toList();
    PrintWriter out = spec.commandLine().getOut();
    int from = last > 0 ? Math.max(0, lines.size() - last) : 0;
    for (FileDecisionLog.Line l : lines.subList(from, lines.size())) {
      out.printf(
          "%s  after event %d: %s%n    because %s%n",
          l.at().toString().substring(0, 19),
          l.seq(),
          Words.of(l.decision()),
          l.decision().because());
    }
    if (lines.isEmpty()) {
      out.println("nothing was decided about " + about.orElse("this sweep"));
    }
    out.flush();
    return ExitCode.OK;
  }
}
