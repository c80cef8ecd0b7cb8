package io.nightsweep.cli;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.Nearest;
import io.nightsweep.report.ComparedSweeps;
import io.nightsweep.report.ComparedSweeps.GainChange;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.SweepState;
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
    name = "compare",
    mixinStandardHelpOptions = true,
    description =
        "Two sweeps side by side, such as two nights of one cell: how far the baseline moved, and"
            + " which gains changed.")
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Parameters(
      paramLabel = "A",
      index = "0",
      description = "A sweep, as 'nightsweep sweeps' names it.")
  private String first = "";

  @Parameters(paramLabel = "B", index = "1", description = "The later one.")
  private String second = "";

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    SweepState a = read(first);
    ComparedSweeps compared = ComparedSweeps.of(a, read(second));
    Optional<ComparedSweeps.Unlike> metrics = compared.otherMetric();
    if (metrics.isPresent()) {
      throw new CliException(
          ExitCode.REFUSED,
          "%s and %s cannot be compared, since a gain in one metric is not a gain in another: %s"
              .formatted(first, second, metrics.get().words(Phrases.EN)));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.mapper().writeValueAsString(compared));
    } else {
      print(compared, a.spec().metric(), out);
    }
    return ExitCode.OK;
  }

  private SweepState read(String id) throws IOException, CliException {
    StateDirectory directory = state.directory();
    List<SweepDirectory> all = directory.all();
    for (SweepDirectory sweep : all) {
      if (sweep.id().equals(id)) {
        return StateOptions.open(sweep).state();
      }
    }
    throw new CliException(
        ExitCode.NOT_FOUND,
        "no sweep '"
            + id
            + "' in "
            + directory.root()
            + Nearest.question(id, all.stream().map(SweepDirectory::id).toList())
                .orElse("; nightsweep sweeps lists them"));
  }

  private static void print(ComparedSweeps c, Metric metric, PrintWriter out) {
    out.println("A  " + c.first());
    out.println("B  " + c.second());
    out.println(Terminal.plain(measured(metric)));
    c.unlike()
        .forEach(what -> out.println("not the same  " + Terminal.plain(what.words(Phrases.EN))));
    out.println();
    out.println(
        "baseline of B over A: "
            + (Double.isFinite(c.baseline().percent())
                ? words(c.baseline()) + (c.baseline().isCertain() ? "" : ", which may be noise")
                : c.isOfOneMeasure()
                    ? "not known, since one of them measured no baseline"
                    : "not shown, since A and B measure different things"));
    if (!c.profiles().isEmpty()) {
      out.println();
      out.printf(
          "%-24s %10s %5s %10s %5s  %s%n",
          "profile", "gain in A", "runs", "gain in B", "runs", "B over A, 95 % each");
    }
    for (ComparedSweeps.Pair p : c.profiles()) {
      out.printf(
          "%-24s %10s %5d %10s %5d  %s%s%n",
          p.profile(),
          Ink.percent(p.firstGainPercent()),
          p.firstRuns(),
          Ink.percent(p.secondGainPercent()),
          p.secondRuns(),
          words(p.change()),
          p.change().isCertain() ? "  changed" : "");
    }
    named(out, "measured in A alone", c.onlyFirst());
    named(out, "measured in B alone", c.onlySecond());
  }

  /** A gain always means better; a positive change of the baseline may mean worse. */
  private static String measured(Metric metric) {
    String what = "of %s in %s, ".formatted(metric.name(), metric.unit());
    return switch (metric.better()) {
      case HIGHER -> what + "higher is better";
      case LOWER ->
          what + "lower is better: a baseline that moved by + is worse, a gain of + better";
    };
  }

  private static void named(PrintWriter out, String what, List<String> profiles) {
    if (!profiles.isEmpty()) {
      out.println(what + ": " + String.join(", ", profiles));
    }
  }

  private static String words(GainChange change) {
    return Ink.percent(change.percent())
        + change
            .lowPercent()
            .map(
                low ->
                    " (%s to %s %%)"
                        .formatted(
                            Figures.signed(low, 1),
                            Figures.signed(change.highPercent().orElseThrow(), 1)))
            .orElse(" (too few runs for an interval)");
  }
}
