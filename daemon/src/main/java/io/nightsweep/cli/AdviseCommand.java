package io.nightsweep.cli;

import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.LlmFiles;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.llm.Prompts;
import io.nightsweep.llm.Scores;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.LlmFile;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    description = {
      "What a language model proposed in a sweep, and what became of it.",
      "One is asked where llm.yaml in the state directory says so; else never."
    })
final class AdviseCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(
      names = "--dry-run",
      description = "Prints the prompt that would be sent now, exactly, and sends nothing.")
  private boolean dryRun;

  @Option(
      names = "--occasion",
      paramLabel = "WHEN",
      description = "Of a dry run: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
      defaultValue = "EVIDENCE")
  private LlmOccasion.Kind occasion = LlmOccasion.Kind.EVIDENCE;

  @Option(names = "--json", description = "One object on a line for each hypothesis.")
  private boolean json;

  /** A hypothesis as it is shown. */
  private record Shown(
      String profile,
      String settings,
      String mechanism,
      double lowPercent,
      double highPercent,
      String falsifier,
      String cameTo) {}

  @Override
  public Integer call() throws IOException, CliException, InvalidInputException {
    StateOptions.Chosen sweep = state.chosen();
    PrintWriter out = spec.commandLine().getOut();
    if (dryRun) {
      out.println(prompt(sweep));
    } else {
      show(sweep.state(), out);
    }
    out.flush();
    return ExitCode.OK;
  }

  private String prompt(StateOptions.Chosen sweep)
      throws IOException, CliException, InvalidInputException {
    SweepState s = admitted(sweep.state());
    return Prompts.of(
            s,
            Standings.board(s),
            new LlmOccasion(occasion, ""),
            new LlmFiles(sweep.directory(), state.directory()).remembered(s),
            Redaction.of(System.getenv())::of)
        .text();
  }

  /** On the terms of the sweep, or on those of the settings where it began without any. */
  private SweepState admitted(SweepState s)
      throws IOException, CliException, InvalidInputException {
    if (s.llm().terms().isPresent()) {
      return s;
    }
    LlmSettings settings =
        LlmFile.load(state.directory().root())
            .orElseThrow(
                () ->
                    new CliException(
                        ExitCode.NOT_FOUND,
                        "there is no "
                            + state.directory().root().resolve(LlmFile.NAME)
                            + ", so no language model is asked; its keys are in"
                            + " templates/llm/llm.schema.json"));
    return s.apply(new Entry(s.seq() + 1, Instant.now(), new Event.LlmAdmitted(settings.terms())));
  }

  private void show(SweepState s, PrintWriter out) throws IOException {
    Leaderboard board = Standings.board(s);
    List<Shown> all = s.llm().hypotheses().map(h -> shown(s, board, h)).toList();
    for (Shown h : all) {
      out.println(
          json
              ? Json.mapper().writeValueAsString(h)
              : Terminal.plain(
                  "%s  %s  expected %+.1f to %+.1f %%: %s  %s"
                      .formatted(
                          h.profile(),
                          h.cameTo(),
                          h.lowPercent(),
                          h.highPercent(),
                          h.settings(),
                          h.mechanism())));
    }
    if (all.isEmpty() && !json) {
      out.println("no language model proposed anything in " + s.sweep());
    }
  }

  private static Shown shown(SweepState s, Leaderboard board, Hypothesis h) {
    return new Shown(
        h.profile().name(),
        h.profile().describe(),
        h.mechanism(),
        h.lowPercent(),
        h.highPercent(),
        h.falsifier(),
        Scores.of(s, board, h).name().toLowerCase(Locale.ROOT));
  }
}
