package io.nightsweep.cli;

import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.triage.LogTriage;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.SampleRun;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "playbook",
    mixinStandardHelpOptions = true,
    description = "Works on playbooks.",
    subcommands = {PlaybookCommand.TestCommand.class, PlaybookCommand.PatternsCommand.class})
final class PlaybookCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Which? 'test' or 'patterns'");
  }

  @Command(
      name = "patterns",
      mixinStandardHelpOptions = true,
      description = "Prints the patterns that logs are searched for, one on each line.")
  static final class PatternsCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "A playbook, or the path of its file.")
    private String name = PlaybookOptions.ANY;

    @Override
    public Integer call() throws InvalidInputException {
      PrintWriter out = spec.commandLine().getOut();
      new LogTriage(PlaybookOptions.playbooks().read(name).recognition(), Workloads::hearSteps)
          .patterns()
          .forEach(out::println);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "test",
      mixinStandardHelpOptions = true,
      description = "Runs the samples of each failure class, or the logs of public threads.")
  static final class TestCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
        paramLabel = "NAME",
        arity = "0..*",
        description = "Playbooks, or paths of their files (default: all).")
    private List<String> names = List.of();

    @Option(
        names = "--threads",
        description = "Measures by the logs of public threads instead, and prints a table.")
    private boolean isByThreads;

    @Option(
        names = "--leave-one-out",
        description =
            "With --threads: reads each family without the patterns that only its own logs match.")
    private boolean isLeftOut;

    private static final class Tally {
      private int right;
      private int wrong;
    }

    @Override
    public Integer call() throws InvalidInputException, IOException {
      Playbooks playbooks = PlaybookOptions.playbooks();
      PrintWriter out = spec.commandLine().getOut();
      if (isByThreads) {
        for (String name : names.isEmpty() ? List.of(PlaybookOptions.ANY) : names) {
          ThreadsReport report = new ThreadsReport(playbooks.read(name).recognition(), out);
          if (isLeftOut) {
            report.printLeftOut(playbooks.threads(), playbooks.samples(name));
          } else {
            report.print(playbooks.threads());
          }
        }
        return ExitCode.OK;
      }
      int wrong = 0;
      for (String name : names.isEmpty() ? playbooks.names() : names) {
        wrong += test(name, playbooks.read(name), playbooks.samples(name), out);
      }
      return wrong == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private static int test(String name, Playbook playbook, List<Sample> samples, PrintWriter out)
        throws IOException {
      Path scratch = Files.createTempDirectory("nightsweep-samples");
      SampleRun run =
          new SampleRun(
              new PlaybookDiagnoser(playbook.recognition(), Workloads::hearSteps), scratch);
      Map<String, Tally> rows = new TreeMap<>();
      int wrong = 0;
      for (Sample sample : samples) {
        Optional<Diagnosis> diagnosis = run.run(sample);
        Tally row = rows.computeIfAbsent(sample.beside(), k -> new Tally());
        if (SampleRun.isRight(sample, diagnosis)) {
          row.right++;
        } else {
          row.wrong++;
          wrong++;
          out.printf(
              "%s: expected %s, got %s%n",
              sample.about(),
              sample.expected(),
              diagnosis
                  .map(d -> d.failureClass() + ": " + Phrases.EN.text(d.detail()))
                  .orElse(SampleRun.HEALTHY));
        }
      }
      Files.delete(scratch);
      out.printf("%-24s %8s %8s%n", name, "samples", "wrong");
      rows.forEach((id, r) -> out.printf("  %-22s %8d %8d%n", id, r.right + r.wrong, r.wrong));
      out.printf("  %-22s %8d %8d%n", "all", samples.size(), wrong);
      return wrong;
    }
  }
}
