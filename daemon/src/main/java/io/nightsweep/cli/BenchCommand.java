package io.nightsweep.cli;

import io.nightsweep.bench.Bench;
import io.nightsweep.bench.BenchRequest;
import io.nightsweep.bench.StudyRehearsal;
import io.nightsweep.bench.WorkFolder;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.Study;
import io.nightsweep.plan.StudyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Measures a study of the kernels on the cluster: gemm, allreduce, ep, tp, fair, pairs, gpu, or a file of your own. Leaves a bundle of rows, summary.csv, figures and summary.md.")
final class BenchCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int MOST_SCALE = 1 << 20;
  private static final Pattern SAMPLING =
      Pattern.compile("([1-9]\\d{0,5})x([1-9]\\d{0,5})x(\\d{1,6})");

  /** How long an interrupted command waits for its job to be cancelled. */
  private static final Duration CANCEL_LIMIT = Duration.ofSeconds(20);

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Parameters(paramLabel = "STUDY", description = "A packed study's name, or a YAML file.")
  private String name = "";

  @Option(
      names = "--cluster",
      completionCandidates = ClusterNames.class,
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
      defaultValue = "SLURM")
  private ClusterChoice.Kind cluster = ClusterChoice.Kind.SLURM;

  @Option(
      names = "--nodes",
      paramLabel = "NODE",
      split = ",",
      description = "On which nodes, in order (default: those that are idle).")
  private List<String> nodes = List.of();

  @Option(names = "--partition", paramLabel = "NAME", description = "Slurm's partition.")
  private Optional<String> partition = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where bundles are published; all nodes must see it (default: ${DEFAULT-VALUE}).",
      defaultValue = "bench")
  private Path out = Path.of("bench");

  @Option(
      names = "--expand",
      description =
          "Say what would run, how long each case, job and the study would take, and what cannot run; queue nothing.")
  private boolean expand;

  @Option(
      names = "--resume",
      description = "Continue the study's last run in --out: only what it did not measure runs.")
  private boolean resume;

  @Option(
      names = "--sampling",
      paramLabel = "ITERATIONSxTRIALSxWARMUP",
      description = "Sample in another way than the study says, such as 8x64x32.")
  private Optional<String> sampling = Optional.empty();

  @Option(
      names = "--scale",
      paramLabel = "N",
      description = "Rehearse with all bytes, elements and dimensions divided by N.",
      defaultValue = "1")
  private int scale = 1;

  @Option(
      names = "--json",
      description = "One object at the end; the progress goes to standard error.")
  private boolean json;

  @Option(names = "--reuse", description = "Draw from the latest bundle's rows; run nothing.")
  private boolean reuse;

  @Option(names = "--hash-hosts", description = "Write hashes instead of host names.")
  private boolean hashHosts;

  @Option(
      names = "--program",
      paramLabel = "PATH",
      description = "The kernels (default: native/build/nightsweep-kernels).")
  private @Nullable Path program;

  @Option(names = "--inject", hidden = true, description = "A fault, for tests.")
  private Optional<String> inject = Optional.empty();

  /**
   * The result of a study.
   *
   * @param obstacles why the bundle did not become the latest
   * @param interrupted whether the same command with {@code --resume} can continue
   */
  private record StudyEnd(
      String bundle, Map<String, Long> dispositions, List<String> obstacles, boolean interrupted) {}

  @Override
  public Integer call()
      throws IOException,
          InterruptedException,
          InvalidInputException,
          CliException,
          ClusterUnreachableException {
    PrintWriter print = spec.commandLine().getOut();
    PrintWriter progress = json ? spec.commandLine().getErr() : print;
    if (scale < 1 || scale > MOST_SCALE) {
      throw new CliException(
          ExitCode.USAGE, "--scale is " + scale + "; expected 1 to " + MOST_SCALE);
    }
    if (Set.copyOf(nodes).size() < nodes.size()) {
      throw new CliException(ExitCode.USAGE, "--nodes names a node twice: " + nodes);
    }
    Study study = StudyFile.load(name, Resources.below(Path.of("")));
    Path kernels = kernels();
    if (expand) {
      Bench.expand(study, request(List.of(), kernels)).forEach(print::println);
      return ExitCode.OK;
    }
    if (reuse) {
      return told(Bench.reuse(study, request(List.of(), kernels)), print);
    }
    Optional<WorkFolder> earlier =
        resume ? WorkFolder.latest(published(), study.name(), rehearsal()) : Optional.empty();
    if (resume && earlier.isEmpty()) {
      throw new CliException(
          ExitCode.REFUSED,
          "there is no run of "
              + study.name()
              + " in "
              + published()
              + rehearsal().words().map(w -> " that is " + w).orElse(""));
    }
    Cluster chosen = Places.cluster(cluster, state.directory());
    Bench bench =
        new Bench(
            chosen,
            POLL,
            line -> {
              progress.println(line);
              progress.flush();
            });
    BenchRequest request = request(pinned(chosen, study, earlier), kernels, earlier);
    InterruptOnExit onExit = InterruptOnExit.thisThread(CANCEL_LIMIT);
    try {
      return told(bench.run(study, request), print);
    } finally {
      onExit.close();
    }
  }

  private int told(Bench.BenchOutcome outcome, PrintWriter print) throws IOException {
    if (json) {
      print.println(
          Json.mapper()
              .writeValueAsString(
                  new StudyEnd(
                      outcome.bundle().folder().toString(),
                      outcome.dispositions(),
                      outcome.obstacles(),
                      outcome.isInterrupted())));
      return code(outcome);
    }
    outcome.dispositions().forEach((word, count) -> print.println(word + " " + count));
    outcome.obstacles().forEach(o -> print.println("not the latest: " + o));
    print.println("bundle " + outcome.bundle().folder());
    if (outcome.isInterrupted()) {
      print.println("the same command with --resume goes on from here");
    }
    return code(outcome);
  }

  /** A failed case makes the command fail, even if the case is not required for publication. */
  private static int code(Bench.BenchOutcome outcome) {
    return outcome.isAnyMeasured() && !outcome.isAnyFailed() && outcome.obstacles().isEmpty()
        ? ExitCode.OK
        : ExitCode.FAILED;
  }

  private Path kernels() throws CliException {
    Path path =
        program == null
            ? Places.home().resolve("native/build/nightsweep-kernels")
            : program.toAbsolutePath();
    if (!Files.isExecutable(path)) {
      throw new CliException(
          ExitCode.UNFIT, "no program " + path + "; build it with './nightsweep setup'");
    }
    return path;
  }

  private BenchRequest request(List<String> pinned, Path kernels) throws IOException, CliException {
    return request(pinned, kernels, Optional.empty());
  }

  private BenchRequest request(List<String> pinned, Path kernels, Optional<WorkFolder> resumed)
      throws IOException, CliException {
    Instant now = Instant.now();
    return new BenchRequest(
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC).format(now)
            + "-"
            + random(2),
        Places.home(),
        kernels,
        pinned,
        partition,
        published(),
        now,
        resumed.isPresent()
            ? resumed.get().hostSalt()
            : hashHosts ? Optional.of(random(16)) : Optional.empty(),
        rehearsal(),
        resumed,
        inject);
  }

  private StudyRehearsal rehearsal() throws CliException {
    return new StudyRehearsal(
        scale, sampling.isPresent() ? Optional.of(sampling(sampling.get())) : Optional.empty());
  }

  private Path published() {
    return out.toAbsolutePath().normalize();
  }

  private static Study.Sampling sampling(String text) throws CliException {
    Matcher parts = SAMPLING.matcher(text);
    if (!parts.matches()) {
      throw new CliException(
          ExitCode.USAGE,
          "--sampling is '"
              + text
              + "'; expected ITERATIONSxTRIALSxWARMUP with at least one iteration and trial, such as"
              + " 8x64x32");
    }
    return new Study.Sampling(
        Integer.parseInt(parts.group(1)),
        Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)));
  }

  /** The nodes for the study: as many as its largest layout needs, or those of the resumed run. */
  private List<String> pinned(Cluster chosen, Study study, Optional<WorkFolder> resumed)
      throws CliException, ClusterUnreachableException, InterruptedException {
    int needed =
        study.groups().stream()
            .flatMap(g -> g.layouts().stream())
            .mapToInt(Study.Layout::nodes)
            .max()
            .orElse(1);
    List<String> usable =
        !nodes.isEmpty()
            ? nodes
            : resumed.isPresent()
                ? resumed.get().nodes()
                : BenchNodes.idle(chosen.nodes(List.of()), partition);
    if (usable.size() < needed) {
      throw new CliException(
          ExitCode.REFUSED,
          "the study needs " + needed + " nodes; there are " + usable.size() + ": " + usable);
    }
    return usable.subList(0, needed);
  }

  private static String random(int bytes) {
    byte[] random = new byte[bytes];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
