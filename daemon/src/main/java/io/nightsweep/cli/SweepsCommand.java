package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    description =
        "Lists every sweep of the state directory, unfinished ones first, then the latest first:"
            + " how it ended, when it began and what won.")
final class SweepsCommand implements Callable<Integer> {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Option(names = "--json", description = "One object on a line for each.")
  private boolean json;

  /**
   * A sweep in one line.
   *
   * @param phase one word
   * @param outcome of a finished sweep, in words
   * @param winner of a finished sweep, if it has one
   */
  private record SweepLine(
      String sweep,
      String phase,
      String model,
      String parallelism,
      Optional<Instant> startedAt,
      Optional<String> outcome,
      Optional<Winner> winner) {}

  private record Winner(String profile, double gainPercent) {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    int code = ExitCode.OK;
    if (!json && state.directory().all().isEmpty()) {
      out.println("no sweep in " + state.directory().root());
    }
    List<SweepLine> lines = new ArrayList<>();
    for (SweepDirectory directory : state.directory().all()) {
      try {
        SweepState read = StateOptions.open(directory).state();
        if (!(read.phase() instanceof Phase.NotStarted)) {
          lines.add(line(read));
        }
      } catch (IOException e) {
        spec.commandLine().getErr().println(Terminal.plain(directory.id() + ": " + e.getMessage()));
        code = ExitCode.FAILED;
      }
    }
    lines.sort(
        Comparator.comparing((SweepLine line) -> line.outcome().isPresent())
            .thenComparing(
                line -> line.startedAt().orElse(Instant.EPOCH), Comparator.reverseOrder()));
    boolean isDriven = new DaemonWord(state.directory()).hasDaemon();
    for (SweepLine line : lines) {
      print(line, isDriven, out);
    }
    if (!json && !isDriven && lines.stream().anyMatch(line -> line.outcome().isEmpty())) {
      out.println("no daemon drives the unfinished sweeps; to go on: nightsweep start");
    }
    out.flush();
    return code;
  }

  private void print(SweepLine line, boolean isDriven, PrintWriter out) throws IOException {
    out.println(
        json
            ? Json.mapper().writeValueAsString(line)
            : String.format(
                    Locale.ROOT,
                    "%-24s %-12s %-16s  %s",
                    line.sweep(),
                    line.outcome().orElse(isDriven ? line.phase() : "no daemon"),
                    line.startedAt().map(DAY::format).orElse(""),
                    line.winner()
                        .map(w -> w.profile() + " " + Figures.signed(w.gainPercent(), 1) + " %")
                        .orElse(""))
                .stripTrailing());
  }

  private static SweepLine line(SweepState s) {
    Optional<Phase.Finished> finished =
        s.phase() instanceof Phase.Finished f ? Optional.of(f) : Optional.empty();
    return new SweepLine(
        s.sweep(),
        s.phase().getClass().getSimpleName().toLowerCase(Locale.ROOT),
        s.cell().model(),
        s.cell().parallelism(),
        s.startedAt(),
        finished.map(f -> Phrases.EN.word("words.outcome", f.outcome())),
        finished.flatMap(
            f ->
                f.ending() instanceof SweepEnding.Won won
                    ? Optional.of(new Winner(won.profile(), won.percent()))
                    : Optional.empty()));
  }
}
