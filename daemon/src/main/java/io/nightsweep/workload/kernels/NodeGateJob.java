package io.nightsweep.workload.kernels;

import io.nightsweep.cluster.PerTask;
import io.nightsweep.cluster.Shell;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeMetric;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The job that checks the pinned nodes, the same for every workload: a matrix product and a copy on
 * each node, an allreduce between neighbours and one over all nodes. It finds slow processors,
 * memory and networks, but no slow GPUs.
 *
 * <p>Figures are from mean times: if a limit stops a process for a part of each tenth of a second,
 * most samples are as fast as ever.
 */
final class NodeGateJob implements Workload {
  private static final String SCRIPT = "/templates/jobs/node-gate.sh";

  /**
   * Sound nodes take seconds. The steps' own limits add up to less on up to four nodes, which are
   * checked one after the other.
   */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Path program;

  /** On one node, which chooses the matrix sizes by its number of processors. */
  private final KernelCase product;

  private final KernelCase copy;

  /**
   * @param home the folder with the kernels
   */
  NodeGateJob(Path home) {
    program = home.resolve(KernelCase.PROGRAM);
    product = step("gemm", 1, Map.of("iterations", "4"));
    copy = step("copy", 1, Map.of("sizes", "67108864", "iterations", "4"));
  }

  private KernelCase sum(int ranks) {
    return step("allreduce", ranks, Map.of("sizes", "8388608", "iterations", "2"));
  }

  /** A kernel that runs with one rank on each of {@code ranks} nodes. */
  private KernelCase step(String kernel, int ranks, Map<String, String> own) {
    TreeMap<String, String> settings = new TreeMap<>(own);
    settings.putAll(Map.of("kernel", kernel, "trials", "4", "warmup", "1"));
    return new KernelCase(program, settings, ranks, PerTask.UNSAID);
  }

  @Override
  public Launch launch(LaunchRequest request) {
    List<String> nodes = request.spec().cell().nodes();
    String payload =
        """
        nightsweep_gate_program=%s
        nightsweep_gate_out=%s
        nightsweep_gate_nodes=(%s)
        nightsweep_gate_product=(%s)
        nightsweep_gate_copy=(%s)
        nightsweep_gate_sum=(%s)
        %s\
        """
            .formatted(
                Shell.quote(program.toString()),
                Shell.quote(request.outputDirectory().toString()),
                words(nodes),
                words(product.arguments()),
                words(copy.arguments()),
                words(sum(nodes.size()).arguments()),
                script());
    return new Launch.Payload(
        payload, nodes.size(), PerTask.UNSAID, Map.of(), Optional.of(LIMIT), Optional.empty());
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog log) {
    log.lookOrWait();
    return new WorkloadReading(-1, 0, Optional.empty(), new Effective.AsScheduled());
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    return Files.isExecutable(program)
        ? List.of()
        : List.of(
            new SetupProblem(Statement.phrase("node-unbuilt", program), "", false, "", List.of()));
  }

  /** The figures of each node; a missing or implausible record gives none. */
  @Override
  public List<NodeFigures> nodeFigures(LaunchRequest request) {
    List<String> nodes = request.spec().cell().nodes();
    Path out = request.outputDirectory();
    OptionalDouble ring = bandwidth(out.resolve("ring.json"), nodes.size());
    List<NodeFigures> figures = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      TreeMap<NodeMetric, Double> own = new TreeMap<>();
      rate(out.resolve("gemm." + i + ".json"), product, "flopsPerSecond")
          .ifPresent(v -> own.put(NodeMetric.GEMM_FLOPS, v));
      rate(out.resolve("copy." + i + ".json"), copy, "algbwBytesPerSecond")
          .ifPresent(v -> own.put(NodeMetric.COPY_BYTES, v));
      // A slow neighbour slows down only one of a node's two pairs, so the better one counts.
      OptionalDouble after = bandwidth(out.resolve("pair." + i + ".json"), 2);
      int before = (i + nodes.size() - 1) % nodes.size();
      OptionalDouble ahead = bandwidth(out.resolve("pair." + before + ".json"), 2);
      double best = Math.max(after.orElse(0), ahead.orElse(0));
      if (best > 0) {
        own.put(NodeMetric.PAIR_BYTES, best);
      }
      ring.ifPresent(v -> own.put(NodeMetric.RING_BYTES, v));
      figures.add(new NodeFigures(nodes.get(i), own));
    }
    return List.copyOf(figures);
  }

  private OptionalDouble bandwidth(Path file, int ranks) {
    return rate(file, sum(ranks), "busbwBytesPerSecond");
  }

  /** The rate from the mean time; the record's own rate is from the median. */
  private static OptionalDouble rate(Path file, KernelCase step, String metric) {
    try {
      KernelResult whole = KernelResult.read(file);
      if (contradiction(whole, step).isPresent()) {
        return OptionalDouble.empty();
      }
      KernelResult.Component headline = whole.cases().getFirst().headline();
      double rate =
          headline.metric(metric) * headline.p50Seconds() / headline.metric("meanSeconds");
      return rate > 0 && Double.isFinite(rate) ? OptionalDouble.of(rate) : OptionalDouble.empty();
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }

  /**
   * Checks a record like one of a study or sweep, but expects no limits: the short steps do not
   * measure them.
   */
  private static Optional<String> contradiction(KernelResult whole, KernelCase step) {
    KernelResult.Case only = whole.cases().getFirst();
    return step.difference(only)
        .or(
            () ->
                DocumentAudit.contradiction(
                    whole,
                    new DocumentAudit.JobOrder(
                        KernelResult.METRIC_CONTRACT,
                        "none",
                        step.ranks(),
                        step.ranks(),
                        true,
                        false,
                        Map.of())))
        .or(() -> DocumentAudit.contradiction(whole, only));
  }

  private static String words(List<String> words) {
    return words.stream().map(Shell::quote).collect(Collectors.joining(" "));
  }

  private static String script() {
    try (InputStream in = NodeGateJob.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException(SCRIPT + " is missing in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
