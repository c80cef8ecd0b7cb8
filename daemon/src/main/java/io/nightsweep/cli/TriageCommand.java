package io.nightsweep.cli;

import io.nightsweep.cluster.slurm.SlurmState;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Statement;
import io.nightsweep.triage.ClassProposal;
import io.nightsweep.triage.LogTriage;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "triage",
    mixinStandardHelpOptions = true,
    description =
        "Shows what a job's log means, quotes the lines, and says what would follow in a sweep.")
final class TriageCommand implements Callable<Integer> {
  /** Slurm writes exit codes as {@code code:signal}. */
  private static final Pattern EXIT_CODE = Pattern.compile("(\\d{1,3})(?::(\\d{1,3}))?");

  private static final int STEPS_OTHERWISE = 15;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description =
          "A job's log, also compressed by gzip, xz or zstd; a pipe, or - for the standard input.")
  private List<Path> logs = List.of();

  @Option(names = "--json", description = "One JSON object for each log, on a line of its own.")
  private boolean json;

  @Option(
      names = "--of-a-job",
      hidden = true,
      description = "Read the log as a job left it: follow no link and no pipe.")
  private boolean ofAJob;

  @Option(
      names = "--playbook",
      paramLabel = "NAME",
      description =
          "The playbook to judge by, or the path of its file, which ends in .yaml (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = PlaybookOptions.ANY)
  private String playbook = PlaybookOptions.ANY;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "As sacct reports it, such as FAILED or TIMEOUT; RUNNING for a job that hangs (default:"
              + " what the log says).")
  private Optional<String> state = Optional.empty();

  @Option(
      names = "--exit-code",
      paramLabel = "CODE[:SIGNAL]",
      description = "As sacct reports it (default: what the log says).")
  private Optional<String> exitCode = Optional.empty();

  @Option(
      names = "--steps",
      paramLabel = "N",
      description =
          "How many steps the job was meant to make (default: what the log says, else "
              + STEPS_OTHERWISE
              + " for a job that has ended).")
  private Optional<Integer> steps = Optional.empty();

  @Option(
      names = "--propose-class",
      description =
          "Prints a playbook's class for each failure that no class knows, ready to paste.")
  private boolean proposeClass;

  @Override
  public Integer call() throws CliException, InvalidInputException, IOException {
    if (proposeClass && json) {
      throw new CliException(
          ExitCode.USAGE, "--propose-class prints YAML to paste; leave out --json");
    }
    OptionalInt exit = exitCode.isPresent() ? exit(exitCode.get()) : OptionalInt.empty();
    Optional<SlurmState> slurm =
        state.isPresent() ? Optional.of(state(state.get())) : Optional.empty();
    Playbook book = PlaybookOptions.playbooks().read(playbook);
    LogTriage triage =
        new LogTriage(
            book.recognition(), Workloads::hearSteps, ofAJob ? JobLog::ofAJob : JobLog::new);
    PrintWriter out = spec.commandLine().getOut();
    List<ClassProposal> proposals = new ArrayList<>();
    TriageSummary answers = new TriageSummary();
    int status = ExitCode.OK;
    for (Path given : logs) {
      GivenLog named = GivenLog.of(given);
      Optional<String> fault = named.fault();
      if (fault.isPresent()) {
        spec.commandLine().getErr().println(named.name() + ": " + fault.get());
        answers.add("cannot be read", named);
        status = ExitCode.FAILED;
        continue;
      }
      TriageAnswer answer;
      MDC.put(MaskingEncoder.FILE, named.name());
      try {
        Optional<String> foreign = ForeignForms.of(named.path());
        if (foreign.isPresent()) {
          throw new IOException(foreign.get());
        }
        answer =
            new TriageAnswer(named, diagnosis(triage, named.path(), slurm, exit), book, triage);
      } catch (IOException | StackOverflowError | OutOfMemoryError e) {
        String why = e instanceof IOException ? e.getMessage() : e.toString();
        spec.commandLine().getErr().println(named.name() + ": it cannot be read: " + why);
        answers.add("cannot be read", named);
        status = ExitCode.FAILED;
        continue;
      } finally {
        MDC.remove(MaskingEncoder.FILE);
      }
      if (proposeClass) {
        answer
            .proposal()
            .ifPresentOrElse(
                proposals::add,
                () -> out.println("# " + named.name() + ": " + answer.whyNoProposal()));
      } else if (json) {
        out.println(answer.json());
      } else {
        answer.print(out);
        answers.add(answer.name(), named);
      }
    }
    if (logs.size() > 1 && !json && !proposeClass) {
      answers.print(out);
    }
    if (!proposals.isEmpty()) {
      out.print(pasteable(proposals, book));
    }
    return status;
  }

  /** What a job wrote that waits, or is being cleaned up after, is known only by its log. */
  private Diagnosis diagnosis(
      LogTriage triage, Path log, Optional<SlurmState> state, OptionalInt exit) throws IOException {
    SlurmState.JobStage stage = state.map(SlurmState::stage).orElse(SlurmState.JobStage.ENDED);
    int ofEnded = steps.orElse(STEPS_OTHERWISE);
    return switch (stage) {
      case RUNNING -> triage.running(log, steps.orElse(0)).orElseGet(TriageCommand::atWork);
      case WAITING ->
          state.map(SlurmState::end).equals(Optional.of(JobEnd.State.REQUEUED))
              ? triage.ended(log, state.map(SlurmState::end), exit, ofEnded)
              : triage.waiting(log, ofEnded);
      case COMPLETING -> triage.ended(log, Optional.empty(), exit, ofEnded);
      case ENDED -> triage.ended(log, state.map(SlurmState::end), exit, ofEnded);
    };
  }

  /** All proposals as one text, since a file has 'classes' once. */
  private String pasteable(List<ClassProposal> proposals, Playbook book) {
    boolean isPath = playbook.endsWith(".yaml") || playbook.endsWith(".yml");
    String name = playbook.substring(playbook.lastIndexOf('/') + 1);
    String folder = playbook.substring(0, playbook.length() - name.length());
    return (isPath
            ? "# Into " + playbook + ", without 'classes:' where the file has that line:\n"
            : "# Into a playbook of your own, such as playbooks/own.yaml beside the sweep file,"
                + " below\n"
                + "#   about: (what it is for)\n"
                + "#   extends: "
                + playbook
                + "\n")
        + ClassProposal.yaml(
            proposals,
            book.recognition().classes().stream().map(FailureClass::id).toList(),
            isPath ? folder + "samples/" + name : "playbooks/samples/own.yaml");
  }

  private static Diagnosis atWork() {
    return new Diagnosis(
        KnownClasses.NO_FAILURE_FOUND, 0, List.of(), Statement.phrase("at-work"), List.of());
  }

  private static SlurmState state(String word) throws CliException {
    return SlurmState.parse(word.toUpperCase(Locale.ROOT))
        .orElseThrow(
            () ->
                new CliException(
                    ExitCode.USAGE,
                    "--state " + word + ": expected a state as sacct reports it, such as FAILED"));
  }

  private static OptionalInt exit(String text) throws CliException {
    Matcher m = EXIT_CODE.matcher(text);
    if (!m.matches()) {
      throw new CliException(
          ExitCode.USAGE, "--exit-code " + text + ": expected CODE or CODE:SIGNAL, such as 1:0");
    }
    String signal = m.group(2);
    return OptionalInt.of(
        signal != null && Integer.parseInt(signal) > 0
            ? 128 + Integer.parseInt(signal)
            : Integer.parseInt(m.group(1)));
  }
}
