package io.nightsweep.cli;

import io.nightsweep.bench.Bench;
import io.nightsweep.bench.BenchRequest;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
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
import java.util.Optional;
import java.util.concurrent.Callable;
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
        "Measures a study of the kernels on the cluster: gemm, allreduce, ep, tp, fair, or a file of your own. Leaves a bundle of rows, summary.csv, figures and summary.md.")
final class BenchCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofSeconds(1);

  /** So long a command that is told to end waits for the cancelling of its job. */
  private static final Duration CANCEL_LIMIT = Duration.ofSeconds(20);

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Parameters(paramLabel = "STUDY", description = "A packed study's name, or a YAML file.")
  private String name = "";

  @Option(
      names = "--cluster",
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

  @Option(names = "--expand", description = "Say what would run and what cannot; queue nothing.")
  private boolean expand;

  @Option(names = "--reuse", description = "Draw from the latest bundle's rows; run nothing.")
  private boolean reuse;

  @Option(names = "--hash-hosts", description = "Hashes instead of the names of hosts.")
  private boolean hashHosts;

  @Option(
      names = "--program",
      paramLabel = "PATH",
      description = "The kernels (default: native/build/nightsweep-kernels).")
  private @Nullable Path program;

  @Option(names = "--inject", hidden = true, description = "A fault, for tests.")
  private Optional<String> inject = Optional.empty();

  @Override
  public Integer call()
      throws IOException,
          InterruptedException,
          InvalidInputException,
          CliException,
          ClusterUnreachableException {
    PrintWriter print = spec.commandLine().getOut();
    Study study = StudyFile.load(name, Resources.below(Path.of("")));
    Path kernels = kernels();
    if (expand) {
      Bench.expand(study, kernels).forEach(print::println);
      print.flush();
      return ExitCode.OK;
    }
    Bench.Outcome outcome;
    if (reuse) {
      outcome = Bench.reuse(study, request(List.of(), kernels));
    } else {
      Cluster chosen = Places.cluster(cluster, state.directory());
      Bench bench =
          new Bench(
              chosen,
              POLL,
              line -> {
                print.println(line);
                print.flush();
              });
      BenchRequest request = request(pinned(chosen, study), kernels);
      InterruptOnExit onExit = InterruptOnExit.thisThread(CANCEL_LIMIT);
      try {
        outcome = bench.run(study, request);
      } finally {
        onExit.close();
      }
    }
    outcome.dispositions().forEach((word, count) -> print.println(word + " " + count));
    outcome.obstacles().forEach(o -> print.println("not the latest: " + o));
    print.println("bundle " + outcome.bundle().folder());
    print.flush();
    return outcome.isAnyMeasured() && outcome.obstacles().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
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

  private BenchRequest request(List<String> pinned, Path kernels) {
    Instant now = Instant.now();
    return new BenchRequest(
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC).format(now)
            + "-"
            + random(2),
        Places.home(),
        kernels,
        pinned,
        partition,
        out.toAbsolutePath().normalize(),
        now,
        hashHosts ? Optional.of(random(16)) : Optional.empty(),
        inject);
  }

  /** As many as the largest layout needs. */
  private List<String> pinned(Cluster chosen, Study study)
      throws CliException, ClusterUnreachableException, InterruptedException {
    int needed =
        study.groups().stream()
            .flatMap(g -> g.layouts().stream())
            .mapToInt(Study.Layout::nodes)
            .max()
            .orElse(1);
    List<String> usable =
        nodes.isEmpty()
            ? chosen.nodes(List.of()).stream()
                .filter(n -> n.availability() == Cluster.Node.Availability.IDLE)
                .filter(n -> partition.isEmpty() || isOf(n, partition.get()))
                .map(Cluster.Node::name)
                .toList()
            : nodes;
    if (usable.size() < needed) {
      throw new CliException(
          ExitCode.REFUSED,
          "the study needs " + needed + " nodes; there are " + usable.size() + ": " + usable);
    }
    return usable.subList(0, needed);
  }

  /** The default partition is marked with a trailing star. */
  private static boolean isOf(Cluster.Node node, String partition) {
    return node.partitions().stream().anyMatch(p -> p.replace("*", "").equals(partition));
  }

  private static String random(int bytes) {
    byte[] random = new byte[bytes];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
