package io.nightsweep.cli;

import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.Hostlist;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.NodeChecks;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepOrigin;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.LlmFile;
import io.nightsweep.plan.Loaded;
import io.nightsweep.plan.Prompter;
import io.nightsweep.plan.ProposalGate;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@CommandLine.Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = "Hands a sweep to the background daemon; without a file, only wakes the daemon.")
final class StartCommand implements Callable<Integer> {
  private static final DateTimeFormatter NIGHT = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;
  @Mixin private OnBehalf onBehalf;

  @Parameters(
      paramLabel = "SWEEP.YAML",
      arity = "0..*",
      description = "What is tuned; 'nightsweep init' writes one.")
  private List<Path> files = List.of();

  @Option(
      names = "--together",
      description =
          "Several files, whose sweeps take turns on the same nodes and share the sum of their"
              + " budgets.")
  private boolean together;

  @Option(
      names = "--cluster",
      completionCandidates = ClusterNames.class,
      description = "${COMPLETION-CANDIDATES} (default: slurm).")
  private ClusterChoice.Kind cluster = ClusterChoice.Kind.SLURM;

  @Mixin private StartHour hour;

  @Option(names = AssistantRequest.KNOWN_AS, hidden = true, paramLabel = "FILE")
  private Optional<Path> knownAs = Optional.empty();

  @Option(names = "--page", description = "Open the page too, and print a link to it.")
  private boolean page;

  @Override
  public Integer call()
      throws IOException,
          CliException,
          InterruptedException,
          InvalidInputException,
          ClusterUnreachableException {
    PrintWriter out = spec.commandLine().getOut();
    Optional<Path> file = files.stream().findFirst();
    if (together || files.size() > 1) {
      return startTogether(out);
    }
    hour.insistOnAll(file);
    if (onBehalf.isCheck() && file.isPresent()) {
      Resources resources = Resources.beside(file.get());
      insistOnTheGate(
          SweepFile.load(file.get(), resources).onPaper(ZonedDateTime.now(ZoneId.systemDefault())));
      List<Path> reads = new ArrayList<>(List.of(file.get()));
      reads.addAll(resources.own());
      out.println(OnBehalf.checked("", reads));
      return ExitCode.OK;
    }
    if (hour.isAsked()) {
      hour.schedule(file.orElseThrow(), state, cluster, out);
      return ExitCode.OK;
    }
    if (file.isEmpty()) {
      Background.ensure(state.directory(), out);
      openPage(out);
      out.println(
          Background.isAnyUnfinished(state.directory())
              ? "the daemon runs; unfinished sweeps go on. Look: nightsweep watch"
              : "the daemon runs; there is no unfinished sweep. Start one: nightsweep start"
                  + " sweep.yaml");
      return ExitCode.OK;
    }
    StartedSweep started =
        start(
            state.directory(),
            cluster,
            file.get(),
            knownAs.orElse(file.get()),
            onBehalf.origin(),
            true,
            out);
    tell(started, out);
    whereToLook(started.id(), out);
    return ExitCode.OK;
  }

  private void tell(StartedSweep started, PrintWriter out) throws IOException {
    out.println("started " + started.id());
    Typeable typeable = Typeable.about(state.directory(), started.id());
    started.hopeless().ifPresent(what -> out.println("warning  " + typeable.text(what)));
    out.flush();
  }

  private void whereToLook(String sweep, PrintWriter out) throws IOException, CliException {
    Places.chat(state.client()).ifPresent(out::println);
    openPage(out);
    out.println(
        Typeable.about(state.directory(), sweep)
                .text("Look: nightsweep watch    End it: nightsweep stop    Log: ")
            + state.directory().log());
    out.flush();
  }

  /** Checks all files before it starts the first of their sweeps. */
  private int startTogether(PrintWriter out)
      throws IOException,
          CliException,
          InterruptedException,
          InvalidInputException,
          ClusterUnreachableException {
    if (!together || files.size() < 2 || hour.isAsked() || onBehalf.isCheck()) {
      throw new CliException(
          ExitCode.USAGE,
          "name two or more sweep files that share a night, without --at: nightsweep start"
              + " --together a.yaml b.yaml");
    }
    if (Set.copyOf(files).size() < files.size()) {
      throw new CliException(ExitCode.USAGE, "each file can be named only once");
    }
    List<Prepared> night = new ArrayList<>();
    for (Path file : files) {
      night.add(prepare(state.directory(), cluster, file, file, onBehalf.origin(), true, out));
    }
    Set<String> nodes = Set.copyOf(night.getFirst().spec().cell().nodes());
    for (Prepared sweep : night) {
      if (!Set.copyOf(sweep.spec().cell().nodes()).equals(nodes)) {
        throw new CliException(
            ExitCode.REFUSED,
            "refused: %s pins other nodes than %s; sweeps that share a night have the same nodes; without --together, sweeps on different nodes run at the same time"
                .formatted(sweep.origin().file(), night.getFirst().origin().file()));
      }
    }
    Background.ensure(state.directory(), out);
    String name = "night-" + NIGHT.format(ZonedDateTime.now(ZoneId.systemDefault()));
    List<StartedSweep> started = new ArrayList<>();
    for (Prepared sweep : night) {
      started.add(new StartedSweep(send(state.directory(), sweep.in(name)), sweep.hopeless()));
      tell(started.getLast(), out);
    }
    out.println("they share the night " + name + ": one has the nodes, the others wait");
    whereToLook(started.getFirst().id(), out);
    return ExitCode.OK;
  }

  private void openPage(PrintWriter out) throws IOException, CliException {
    if (page) {
      PageCommand.open(state.directory(), Optional.empty(), out);
    }
  }

  /**
   * Checks everything that can be wrong before it starts anything.
   *
   * @param knownAs the file's own path, where a copy of it is read
   * @param foretold whether to show a forecast, which is about gains that are hard to find
   */
  static StartedSweep start(
      StateDirectory state,
      ClusterChoice.Kind kind,
      Path file,
      Path knownAs,
      Command.Origin by,
      boolean foretold,
      PrintWriter out)
      throws IOException,
          CliException,
          InterruptedException,
          InvalidInputException,
          ClusterUnreachableException {
    Prepared sweep = prepare(state, kind, file, knownAs, by, foretold, out);
    Background.ensure(state, out);
    return new StartedSweep(send(state, sweep), sweep.hopeless());
  }

  /**
   * A sweep that was started.
   *
   * @param hopeless what to do if its forecast finds nothing
   */
  record StartedSweep(String id, Optional<String> hopeless) {}

  /** A checked sweep that is ready to start. */
  private record Prepared(
      String text,
      SweepOrigin origin,
      SweepSpec spec,
      SortedMap<String, Double> knownGains,
      Optional<String> hopeless) {
    Prepared in(String night) {
      return new Prepared(text, origin.in(night), spec, knownGains, hopeless);
    }
  }

  private static Prepared prepare(
      StateDirectory state,
      ClusterChoice.Kind kind,
      Path file,
      Path knownAs,
      Command.Origin by,
      boolean foretold,
      PrintWriter out)
      throws IOException,
          CliException,
          InterruptedException,
          InvalidInputException,
          ClusterUnreachableException {
    // Errors of the file are reported now, because the daemon could only ignore the file later.
    LlmFile.load(state.root());
    Loaded loaded = SweepFile.load(file, System.getenv());
    Fitness.insist(Fitness.ofThisMachine(state), out);
    ClusterChoice choice = Places.choice(kind, loaded.transport());
    Cluster cluster = Places.parts().cluster(choice, state);
    SweepSpec read = loaded.resolve(cluster, prompter(), ZonedDateTime.now(ZoneId.systemDefault()));
    SweepSpec sweep =
        Rehearsing.planned(
            read,
            s -> NodeChecks.fitted(s, cluster, Places.parts().nodeGate(), Instant.now()),
            state);
    if (by.door() == Command.Origin.Door.MCP) {
      insistOnTheGate(sweep);
    }
    Fitness.insist(Fitness.ofTheFolder(state, kind), out);
    Fitness.insist(Fitness.ofTheNodes(cluster, sweep, state), out);
    Workload workload = Places.parts().workload(sweep.workload());
    List<Workload.SetupProblem> problems = Setup.problems(workload, sweep, choice, state);
    List<Workload.SetupProblem> fatal =
        problems.stream().filter(Workload.SetupProblem::fatal).toList();
    if (!fatal.isEmpty()) {
      throw new CliException(
          ExitCode.UNFIT,
          loaded.placed(fatal, Phrases.EN::text).stream()
              .map(String::valueOf)
              .collect(Collectors.joining("\n")));
    }
    loaded.placed(problems, Phrases.EN::text).forEach(p -> out.println("warning  " + p));
    loaded.doubts(sweep).forEach(p -> out.println("warning  " + p));
    show(sweep, cluster.nodesAreHosts(), out);
    Rehearsing.Foretold told =
        foretold ? Rehearsing.foretold(sweep, state) : Rehearsing.Foretold.unasked();
    told.whyNot().ifPresent(why -> out.println("not rehearsed: " + why));
    List<String> rehearsed = told.lines();
    rehearsed.stream().limit(1).forEach(line -> out.println("rehearsed  " + line));
    rehearsed.stream().skip(1).forEach(line -> out.println("  " + line));
    out.flush();
    SweepOrigin origin =
        new SweepOrigin(
            choice,
            knownAs.toAbsolutePath().toString(),
            by.who(),
            by.door(),
            rehearsed.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", rehearsed)),
            Optional.empty());
    return new Prepared(
        Files.readString(file),
        origin,
        sweep,
        Rehearsing.knownGains(sweep, state),
        told.hopeless());
  }

  private static String send(StateDirectory state, Prepared sweep)
      throws IOException, CliException {
    String name = StateDirectory.nameOf(sweep.spec().cell());
    Reply reply =
        new DaemonClient(state)
            .ask(
                new Request.Start(
                    name, sweep.text(), sweep.origin(), sweep.spec(), sweep.knownGains()),
                Duration.ofSeconds(60));
    return switch (reply) {
      case Reply.Started r -> r.sweep();
      case Reply.Refused r -> throw new CliException(ExitCode.REFUSED, "refused: " + r.reason());
      case Reply.Accepted r -> throw new CliException(ExitCode.FAILED, "an answer to nothing");
      case Reply.Pong r -> throw new CliException(ExitCode.FAILED, "an answer to nothing");
      case Reply.Scheduled r -> throw new CliException(ExitCode.FAILED, "an answer to nothing");
      case Reply.PageOpen r -> throw new CliException(ExitCode.FAILED, "an answer to nothing");
      case Reply.Hosting r -> throw new CliException(ExitCode.FAILED, "an answer to nothing");
    };
  }

  private static void insistOnTheGate(SweepSpec sweep) throws CliException {
    Optional<Statement> refusal = ProposalGate.refusalToStart(sweep);
    if (refusal.isPresent()) {
      throw new CliException(ExitCode.REFUSED, "refused: " + Phrases.EN.text(refusal.get()));
    }
  }

  private static void show(SweepSpec sweep, boolean nodesAreHosts, PrintWriter out) {
    out.println("cell    " + sweep.cell().model() + " " + sweep.cell().parallelism());
    out.println("nodes   " + nodes(sweep, nodesAreHosts));
    out.println(
        "plan    "
            + sweep.plan().waves().stream().map(Wave::name).collect(Collectors.joining(" > ")));
    out.println("budget  " + PacingText.budget(sweep.budget()));
    out.println("candidates  " + sweep.candidates());
    out.flush();
  }

  static String nodes(SweepSpec sweep, boolean nodesAreHosts) {
    return Hostlist.format(sweep.cell().nodes())
        + " (frozen from here on)"
        + (nodesAreHosts
            ? ""
            : "; all nodes are this machine, and jobs on several share its %d CPUs"
                .formatted(Runtime.getRuntime().availableProcessors()));
  }

  private static Prompter prompter() {
    if (!Terminal.canAnswer()) {
      return Prompter.nobody();
    }
    return (key, question, choices) -> {
      choices.stream()
          .flatMap(choice -> Wrapped.line("  " + choice, Terminal.columns()).stream())
          .forEach(System.out::println);
      return Terminal.ask(question);
    };
  }
}
