package io.nightsweep.cli;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.plan.InitFile;
import io.nightsweep.workload.StartingValues;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workloads;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = "Prints a commented starting sweep.yaml for the cluster that it asks.")
final class InitCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(
      names = "--workload",
      completionCandidates = Kinds.class,
      description = "${COMPLETION-CANDIDATES} (default: kernels).")
  private String workload = "kernels";

  @Option(
      names = "--repository",
      paramLabel = "CHECKOUT",
      description = "The workload's own checkout, from which the file is filled in.")
  private Optional<Path> repository = Optional.empty();

  @Option(names = "--cluster", description = "${COMPLETION-CANDIDATES} (default: slurm).")
  private ClusterChoice.Kind cluster = ClusterChoice.Kind.SLURM;

  @Override
  public Integer call() throws ClusterUnreachableException, InterruptedException, CliException {
    if (!InitFile.workloads().contains(workload)) {
      throw new CliException(
          ExitCode.USAGE, "--workload " + workload + ": there are " + InitFile.workloads());
    }
    StartingValues values =
        Workloads.find(workload)
            .orElseThrow()
            .starting(repository, Places.choice(cluster, Optional.empty()).submitHost());
    for (Workload.Problem p : values.problems()) {
      if (p.fatal() && repository.isPresent()) {
        throw new CliException(ExitCode.UNFIT, p.found() + "; " + p.whatToDo());
      }
      spec.commandLine().getErr().println("warning  " + p.found() + "; " + p.whatToDo());
    }
    spec.commandLine()
        .getOut()
        .print(InitFile.text(Places.cluster(cluster, state.directory()), workload, values));
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  /** What picocli completes and shows. */
  static final class Kinds implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.copyOf(InitFile.workloads()).iterator();
    }
  }
}
