package io.nightsweep.cli;

import io.nightsweep.conductor.LlmOccasions;
import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.LlmFiles;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.llm.Prompts;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.LlmFile;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTalk;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
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
      "Shows what a language model was asked in a sweep, what it answered, what came of it and"
          + " what it cost.",
      "A language model is asked only if llm.yaml in the state directory says so."
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
      description =
          "For a dry run: ${COMPLETION-CANDIDATES} (default: the prompt that waits for its answer,"
              + " else the latest closed wave, else EVIDENCE).")
  private Optional<LlmOccasion.Kind> occasion = Optional.empty();

  @Option(names = "--json", description = "One object on a line, with all rounds.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException, InvalidInputException {
    StateOptions.Chosen sweep = state.chosen();
    PrintWriter out = spec.commandLine().getOut();
    Advice advice = Advice.of(sweep.state());
    if (dryRun) {
      out.println(prompt(sweep));
    } else if (json) {
      out.println(Json.mapper().writeValueAsString(advice));
    } else {
      advice.lines(sweep.state()).forEach(line -> out.println(Terminal.plain(line)));
    }
    return ExitCode.OK;
  }

  /** The prompt; one that still waits for its answer is printed as it was sent. */
  private String prompt(StateOptions.Chosen sweep)
      throws IOException, CliException, InvalidInputException {
    SweepState s = admitted(sweep.state());
    LlmFiles files = new LlmFiles(sweep.directory(), state.directory());
    Optional<String> sent =
        s.llm().open().isPresent() && occasion.isEmpty()
            ? files.prompt(s.llm().rounds().size())
            : Optional.empty();
    return sent.isPresent()
        ? sent.get()
        : Prompts.of(
                s,
                Standings.board(s),
                occasion(s),
                files.remembered(s),
                Phrases.EN::text,
                Redaction.of(DaemonEnvironment.of(state.client()))::of)
            .text();
  }

  private LlmOccasion occasion(SweepState s) throws CliException {
    if (occasion.isEmpty()) {
      return s.llm().open().map(LlmTalk.Round::occasion).orElseGet(() -> usual(s));
    }
    LlmOccasion.Kind kind = occasion.get();
    return LlmOccasions.latest(s, kind)
        .orElseThrow(
            () ->
                new CliException(
                    ExitCode.NOT_FOUND,
                    "%s has not reached the occasion %s, so no such prompt would be sent"
                        .formatted(s.sweep(), kind)));
  }

  private static LlmOccasion usual(SweepState s) {
    return LlmOccasions.latest(s, LlmOccasion.Kind.WAVE)
        .orElse(new LlmOccasion(LlmOccasion.Kind.EVIDENCE, ""));
  }

  /**
   * The state with the sweep's own terms, or with those of the settings if it began without any.
   */
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
}
