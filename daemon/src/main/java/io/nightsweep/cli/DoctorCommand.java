package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.Transport;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.Confinement;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.Version;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.LlmFile;
import io.nightsweep.plan.Loaded;
import io.nightsweep.plan.Nearest;
import io.nightsweep.plan.Problem;
import io.nightsweep.plan.Prompter;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "The pre-flight: each line says what is there, or what to do.")
final class DoctorCommand implements Callable<Integer> {
  private static final List<String> SLURM_COMMANDS =
      List.of("sbatch", "squeue", "scontrol", "scancel", "sinfo");

  private static final DateTimeFormatter SINCE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  private static final String OK = "ok    ";
  private static final String FAULT = "FAULT ";

  /** The prefix that {@code start} uses too. */
  private static final String WARNING = "warning  ";

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Parameters(paramLabel = "SWEEP.YAML", arity = "0..1")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--cluster",
      completionCandidates = ClusterNames.class,
      description = "${COMPLETION-CANDIDATES} (default: slurm).")
  private ClusterChoice.Kind kind = ClusterChoice.Kind.SLURM;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "Reads this log as a job's log of the sweep file would be read, and says what is measured"
              + " in it.")
  private Optional<Path> log = Optional.empty();

  @Option(names = "--json", description = "One object on a line for each finding.")
  private boolean json;

  private final Redaction secrets = Redaction.of(System.getenv());
  private boolean fit = true;

  /** A finding, and what to do if it is a fault. */
  private record Checked(boolean fit, String text, String whatToDo) {}

  @Override
  public Integer call()
      throws IOException, InterruptedException, CliException, InvalidInputException {
    if (log.isPresent()) {
      return tryLog(log.get());
    }
    StateDirectory directory = state.directory();
    ok("Java " + Runtime.version() + ", Nightsweep " + Version.current());
    Optional<Transport> transport = transport();
    if (transport.isPresent()) {
      ok("Slurm's commands are reached by " + transport.get().words());
    } else {
      tools();
    }
    tell(Fitness.ofThisMachine(directory));
    ok(Confinement.strictest().words());
    languageModel(directory);
    ClusterChoice choice = Places.choice(kind, transport);
    Cluster cluster = Places.parts().cluster(choice, directory);
    try {
      ok("cluster: " + cluster.describe());
      tell(Fitness.ofTheFolder(directory, kind));
      nodes(cluster.nodes(List.of()));
      if (file.isPresent()) {
        sweep(cluster, choice, directory, file.get());
      }
    } catch (ClusterUnreachableException e) {
      bad(
          kind == ClusterChoice.Kind.SLURM
              ? "no Slurm answers here: " + e.getMessage()
              : "the cluster gives no answer: " + e.getMessage(),
          withoutSlurm());
      if (file.isPresent()) {
        onPaper(file.get());
      }
    }
    state
        .client()
        .ping()
        .ifPresentOrElse(
            p -> {
              ok("daemon: pid " + p.pid() + " since " + SINCE.format(p.since()));
              Places.chat(state.client()).ifPresent(chat -> ok("daemon: " + chat));
            },
            () ->
                state
                    .client()
                    .silence()
                    .ifPresentOrElse(
                        silence -> bad("daemon: it gives no answer", silence),
                        () -> ok("daemon: none runs; 'nightsweep start' starts one")));
    if (fit) {
      file.ifPresent(f -> ok("ready: nightsweep start " + onCluster() + f));
    }
    return fit ? ExitCode.OK : ExitCode.UNFIT;
  }

  private String onCluster() {
    return kind == ClusterChoice.Kind.LOCAL ? "--cluster local " : "";
  }

  private String withoutSlurm() {
    return (file.filter(DoctorCommand::needsSlurm).isPresent()
            ? "run this where sbatch works, since the workload's launcher calls it"
            : "run jobs as processes of this machine: nightsweep doctor --cluster local"
                + file.map(f -> " " + f).orElse(""))
        + "; or start a Slurm of virtual nodes: nightsweep lab up; or start slurmctld";
  }

  private static boolean needsSlurm(Path path) {
    try {
      SweepSpec sweep = SweepFile.load(path).onPaper(ZonedDateTime.now(ZoneId.systemDefault()));
      return Places.parts().workload(sweep.workload()).needsSlurm();
    } catch (InvalidInputException e) {
      return false;
    }
  }

  /** Checks the file as far as possible without a cluster. */
  private void onPaper(Path path) {
    try {
      Loaded loaded = SweepFile.load(path);
      SweepSpec sweep = loaded.onPaper(ZonedDateTime.now(ZoneId.systemDefault()));
      ok(
          "sweep file: valid on paper, "
              + Figures.count(sweep.candidates(), "candidate")
              + "; the nodes and the workload are checked once Slurm answers");
      loaded.doubts(sweep).forEach(p -> doubt(p.toString()));
    } catch (InvalidInputException e) {
      bad(String.valueOf(e.getMessage()), whatToDo(path));
    }
  }

  private static String whatToDo(Path file) {
    return Files.exists(file)
        ? "correct the sweep file as the line above says"
        : "name the file, or write one: nightsweep init -o " + file;
  }

  private int tryLog(Path read) throws IOException, CliException, InvalidInputException {
    if (file.isEmpty()) {
      throw new CliException(
          ExitCode.USAGE,
          "--log " + read + ": name the sweep file too, which says how to read the log");
    }
    if (!Files.isReadable(read) || Files.isDirectory(read)) {
      throw new CliException(
          ExitCode.FAILED, read + ": there is no such log, or it cannot be read");
    }
    SweepSpec sweep = SweepFile.load(file.get()).onPaper(ZonedDateTime.now(ZoneId.systemDefault()));
    tell(new LogReading(sweep, Places.parts()).of(read));
    return fit ? ExitCode.OK : ExitCode.UNFIT;
  }

  /** The transport to the cluster; errors in the file are reported later with the others. */
  private Optional<Transport> transport() {
    try {
      return file.isPresent() && kind == ClusterChoice.Kind.SLURM
          ? SweepFile.load(file.get()).transport()
          : Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.empty();
    }
  }

  private void tools() {
    if (kind != ClusterChoice.Kind.SLURM) {
      return;
    }
    List<String> missing = SLURM_COMMANDS.stream().filter(c -> !isOnPath(c)).toList();
    if (!missing.isEmpty()) {
      bad(
          "there is no Slurm here; not on the PATH: " + String.join(", ", missing),
          "run jobs as processes of this machine with --cluster local; or run this where sbatch"
              + " works; or, on a machine of your own: nightsweep setup, then nightsweep lab up");
    } else {
      ok(
          "Slurm's commands are here"
              + (isOnPath("sacct")
                  ? ""
                  : "; no sacct: the end of a job is read from its own record"));
    }
  }

  private void languageModel(StateDirectory directory) {
    Map<String, String> environment = DaemonEnvironment.of(state.client());
    try {
      LlmFile.load(directory.root())
          .ifPresent(
              llm -> {
                Optional<String> missing =
                    llm.keyVariable().filter(name -> environment.getOrDefault(name, "").isBlank());
                if (missing.isPresent()) {
                  bad(
                      "language model: its key is missing",
                      "set " + missing.get() + " where the daemon starts, and restart it");
                } else {
                  ok("language model: " + llm.terms().model() + " at " + llm.url());
                }
              });
    } catch (InvalidInputException e) {
      bad(
          String.valueOf(e.getMessage()),
          "correct the file; until then, no language model is asked");
    }
  }

  private static boolean isOnPath(String command) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }

  private void nodes(List<Cluster.Node> nodes) {
    long idle =
        nodes.stream().filter(n -> n.availability() == Cluster.Node.Availability.IDLE).count();
    ok("nodes: %d, of which %d idle".formatted(nodes.size(), idle));
  }

  private void sweep(Cluster cluster, ClusterChoice choice, StateDirectory directory, Path path)
      throws IOException, ClusterUnreachableException, InterruptedException {
    Loaded loaded;
    SweepSpec sweep;
    try {
      loaded = SweepFile.load(path, System.getenv());
      sweep = loaded.resolve(cluster, Prompter.nobody(), ZonedDateTime.now(ZoneId.systemDefault()));
    } catch (InvalidInputException e) {
      bad(String.valueOf(e.getMessage()), whatToDo(path));
      return;
    }
    ok("sweep file: valid, " + Figures.count(sweep.candidates(), "candidate"));
    if (sweep.settings().containsKey("pattern")) {
      ok(
          "to try workload.pattern on a log of the program: nightsweep doctor "
              + path
              + " --log FILE");
    }
    tell(Fitness.ofTheNodes(cluster, sweep, directory));
    loaded.doubts(sweep).forEach(p -> doubt(p.toString()));
    Workload workload = Places.parts().workload(sweep.workload());
    List<Workload.SetupProblem> problems = Setup.problems(workload, sweep, choice, directory);
    for (Workload.SetupProblem p : problems) {
      Problem placed = loaded.placed(List.of(p), Phrases.EN::text).getFirst();
      String found = placed.place() + ": " + Phrases.EN.text(p.found());
      String whatToDo = p.whatToDo() + placed.nearest().map(Nearest::question).orElse("");
      if (p.fatal()) {
        bad(found, whatToDo);
      } else {
        doubt(found + "; " + whatToDo);
      }
    }
  }

  /** Leaves out jobs of Nightsweep's own sweeps, recognised by the attempt id in their names. */
  static List<Cluster.ForeignJob> foreign(List<Cluster.ForeignJob> jobs, List<String> sweeps) {
    return jobs.stream()
        .filter(job -> sweeps.stream().map(AttemptId::jobNamesOf).noneMatch(job.name()::contains))
        .toList();
  }

  private void tell(List<Fitness> found) {
    for (Fitness f : found) {
      switch (f.grade()) {
        case FIT -> ok(f.text());
        case DOUBTFUL, UNFIT -> bad(f.text(), f.whatToDo());
      }
    }
  }

  private void ok(String text) {
    print(OK, new Checked(true, text, ""));
  }

  private void doubt(String text) {
    print(WARNING, new Checked(true, text, ""));
  }

  private void bad(String text, String whatToDo) {
    fit = false;
    print(FAULT, new Checked(false, text, whatToDo));
  }

  /** Prints a finding with secrets masked: it may quote a cluster, a daemon or a file. */
  private void print(String label, Checked unmasked) {
    Checked found =
        new Checked(
            unmasked.fit(), secrets.shown(unmasked.text()), secrets.shown(unmasked.whatToDo()));
    if (json) {
      out().println(Json.mapper().valueToTree(found).toString());
    } else {
      out().println(label + found.text());
      if (!found.fit()) {
        out().println("      do: " + found.whatToDo());
      }
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
