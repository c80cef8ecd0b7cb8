package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.plan.InitFile;
import io.nightsweep.plan.Nearest;
import io.nightsweep.report.Phrases;
import io.nightsweep.workload.StartingValues;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    description = {
      "Writes a commented starting sweep.yaml for the cluster that it asks.",
      "On a terminal it asks what you tune, where and how long, and rehearses what it wrote; elsewhere it prints the file."
    })
final class InitCommand implements Callable<Integer> {
  /** The default kind, which a person on a terminal gets by pressing Enter. */
  private static final String PROGRAM_OF_ONES_OWN = "command";

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Option(
      names = "--workload",
      completionCandidates = Kinds.class,
      description = "${COMPLETION-CANDIDATES} (default: command, a program of your own).")
  private Optional<String> workload = Optional.empty();

  @Option(
      names = "--repository",
      paramLabel = "CHECKOUT",
      description = "The workload's own checkout, from which the file is filled in.")
  private Optional<Path> repository = Optional.empty();

  @Option(
      names = "--cluster",
      completionCandidates = ClusterNames.class,
      description = "${COMPLETION-CANDIDATES} (default: slurm).")
  private ClusterChoice.Kind cluster = ClusterChoice.Kind.SLURM;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file, once everything is known; never over another file.")
  private Optional<Path> output = Optional.empty();

  @Override
  public Integer call() throws InterruptedException, CliException, IOException {
    boolean talks = Terminal.canAnswer();
    Path file = output.orElse(Path.of("sweep.yaml"));
    if ((talks || output.isPresent()) && Files.exists(file)) {
      throw new CliException(
          ExitCode.REFUSED, file + " is there already; write elsewhere with: -o FILE");
    }
    try {
      InitConversation conversation = new InitConversation(Terminal::ask, this::say);
      if (talks && cluster == ClusterChoice.Kind.SLURM) {
        where(conversation);
      }
      String kind =
          workload.orElseGet(
              () ->
                  talks ? conversation.workload(Workloads.all().reversed()) : PROGRAM_OF_ONES_OWN);
      String text = text(kind);
      if (talks) {
        text =
            conversation.fill(
                text,
                kind,
                isOnThisMachineAlone(kind) ? List.of() : nodes(),
                Path.of("").toAbsolutePath());
        text = Rehearsing.carried(text, state.directory(), spec.commandLine().getOut());
      }
      boolean elsewhere =
          cluster == ClusterChoice.Kind.LOCAL && Places.parts().workload(kind).needsSlurm();
      write(text, talks || output.isPresent() ? Optional.of(file) : Optional.empty(), elsewhere);
      if (!talks && workload.isEmpty()) {
        otherKinds();
      }
      return ExitCode.OK;
    } catch (ClusterUnreachableException e) {
      throw new CliException(
          ExitCode.FAILED,
          "the cluster gives no answer: "
              + e.getMessage()
              + withoutSlurm(file)
              + (output.isPresent()
                  ? ""
                  : "\n(with '>' the shell has made an empty file; -o makes none)"));
    }
  }

  /** Lists the other kinds on standard error, since standard output may be the file. */
  private void otherKinds() {
    PrintWriter err = spec.commandLine().getErr();
    err.println("This is the file for " + about(PROGRAM_OF_ONES_OWN) + ". For the others:");
    Workloads.all().reversed().stream()
        .filter(kind -> !kind.name().equals(PROGRAM_OF_ONES_OWN))
        .forEach(kind -> err.println("  --workload %-8s %s".formatted(kind.name(), kind.about())));
    err.flush();
  }

  private static String about(String kind) {
    return Workloads.find(kind).orElseThrow().about();
  }

  private String withoutSlurm(Path file) {
    return workload.filter(kind -> Places.parts().workload(kind).needsSlurm()).isPresent()
        ? "\nThis workload's launcher calls sbatch: run init where Slurm answers, or tune a program that"
            + " needs none: nightsweep init --cluster local -o "
            + file
        : "\nWithout Slurm: nightsweep init --cluster local"
            + workload.map(kind -> " --workload " + kind).orElse("")
            + " -o "
            + file;
  }

  /**
   * Where no Slurm answers, offers to run jobs on this machine: the person may not know that no
   * Slurm is needed.
   */
  private void where(InitConversation conversation)
      throws InterruptedException, ClusterUnreachableException {
    try {
      List<Cluster.Node> unused = nodes();
    } catch (ClusterUnreachableException e) {
      if (!conversation.local()) {
        throw e;
      }
      cluster = ClusterChoice.Kind.LOCAL;
    }
  }

  /**
   * Whether a person's own program runs as processes of this machine; then there are no nodes to
   * choose.
   */
  private boolean isOnThisMachineAlone(String kind) {
    return cluster == ClusterChoice.Kind.LOCAL && kind.equals("command");
  }

  private void say(String text) {
    spec.commandLine().getOut().println(text);
    spec.commandLine().getOut().flush();
  }

  private List<Cluster.Node> nodes() throws ClusterUnreachableException, InterruptedException {
    return Places.cluster(cluster, state.directory()).nodes(List.of());
  }

  /**
   * @param elsewhere whether the file is for another cluster than the queried one
   */
  private void write(String text, Optional<Path> file, boolean elsewhere) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (file.isEmpty()) {
      out.print(text);
    } else {
      Files.writeString(file.get(), text, StandardOpenOption.CREATE_NEW);
      String where = cluster == ClusterChoice.Kind.LOCAL && !elsewhere ? " --cluster local" : "";
      out.println("written: " + file.get());
      out.println("Next: nightsweep doctor" + where + " " + file.get());
      out.println("      nightsweep rehearse" + where + " " + file.get());
      out.println("      nightsweep start" + where + " " + file.get());
    }
    out.flush();
    if (elsewhere) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "warning  "
              + Setup.NO_SLURM
              + "; name the Slurm cluster's nodes in 'slot'. 'rehearse' needs no cluster, run"
              + " 'doctor' and 'start' where sbatch works");
      err.flush();
    }
  }

  private String text(String kind)
      throws ClusterUnreachableException, InterruptedException, CliException {
    if (!InitFile.workloads().contains(kind)) {
      throw new CliException(
          ExitCode.USAGE,
          "--workload "
              + kind
              + ": there are "
              + InitFile.workloads()
              + Nearest.question(kind, InitFile.workloads()).orElse(""));
    }
    StartingValues values =
        Workloads.find(kind)
            .orElseThrow()
            .starting(repository, Places.choice(cluster, Optional.empty()).submitHost());
    for (Workload.SetupProblem p : values.problems()) {
      if (p.fatal() && repository.isPresent()) {
        throw new CliException(ExitCode.UNFIT, Phrases.EN.text(p.found()) + "; " + p.whatToDo());
      }
      spec.commandLine()
          .getErr()
          .println("warning  " + Phrases.EN.text(p.found()) + "; " + p.whatToDo());
    }
    Cluster chosen = Places.cluster(cluster, state.directory());
    return isOnThisMachineAlone(kind)
        ? InitFile.text(chosen, kind, values, 1)
        : InitFile.text(chosen, kind, values);
  }

  /** The kinds for picocli's completion and help. */
  static final class Kinds implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.copyOf(InitFile.workloads()).iterator();
    }
  }
}
