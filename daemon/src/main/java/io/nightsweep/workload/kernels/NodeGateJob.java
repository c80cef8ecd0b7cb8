package io.nightsweep.workload.kernels;

import io.nightsweep.cluster.PerTask;
import io.nightsweep.cluster.Shell;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeMetric;
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
 * The job that checks the pinned nodes, of whatever workload the sweep is: a matrix product and a
 * copy on each node, an allreduce between neighbours and one over all. It sees processors, memory
 * and network; a slow GPU it does not see.
 *
 * <p>Figures are of mean times: where a limit stops a process for a part of each tenth of a second,
 * most samples are as fast as ever.
 */
final class NodeGateJob implements Workload {
  private static final String SCRIPT = "/templates/jobs/node-gate.sh";

  /** The steps' own limits add up to less than two minutes. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Path program;

  /**
   * @param home where the kernels are
   */
  NodeGateJob(Path home) {
    program = home.resolve(KernelCase.PROGRAM);
  }

  @Override
  public Launch launch(LaunchRequest request) {
    List<String> nodes = request.spec().cell().nodes();
    String payload =
        """
        nightsweep_gate_program=%s
        nightsweep_gate_out=%s
        nightsweep_gate_nodes=(%s)
        %s"""
            .formatted(
                Shell.quote(program.toString()),
                Shell.quote(request.outputDirectory().toString()),
                nodes.stream().map(Shell::quote).collect(Collectors.joining(" ")),
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
            new SetupProblem("no program " + program, "build it with './nightsweep setup'", false));
  }

  /** A record that is missing, or not to be believed, is no figure. */
  @Override
  public List<NodeFigures> nodeFigures(LaunchRequest request) {
    List<String> nodes = request.spec().cell().nodes();
    Path out = request.outputDirectory();
    OptionalDouble ring = bandwidth(out.resolve("ring.json"));
    List<NodeFigures> figures = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      TreeMap<NodeMetric, Double> own = new TreeMap<>();
      rate(out.resolve("gemm." + i + ".json"), "flopsPerSecond")
          .ifPresent(v -> own.put(NodeMetric.GEMM_FLOPS, v));
      rate(out.resolve("copy." + i + ".json"), "algbwBytesPerSecond")
          .ifPresent(v -> own.put(NodeMetric.COPY_BYTES, v));
      // A slow neighbour slows one of a node's two pairs.
      OptionalDouble after = bandwidth(out.resolve("pair." + i + ".json"));
      int before = (i + nodes.size() - 1) % nodes.size();
      OptionalDouble ahead = bandwidth(out.resolve("pair." + before + ".json"));
      double best = Math.max(after.orElse(0), ahead.orElse(0));
      if (best > 0) {
        own.put(NodeMetric.PAIR_BYTES, best);
      }
      ring.ifPresent(v -> own.put(NodeMetric.RING_BYTES, v));
      figures.add(new NodeFigures(nodes.get(i), own));
    }
    return List.copyOf(figures);
  }

  private static OptionalDouble bandwidth(Path file) {
    return rate(file, "busbwBytesPerSecond");
  }

  /** The rate by the mean time; the record's own is by the median. */
  private static OptionalDouble rate(Path file, String metric) {
    try {
      KernelResult.Case only = KernelResult.read(file).cases().getFirst();
      KernelResult.Component headline = only.headline();
      double rate =
          headline.metric(metric) * headline.p50Seconds() / headline.metric("meanSeconds");
      return RecordAudit.contradiction(only).isEmpty() && rate > 0 && Double.isFinite(rate)
          ? OptionalDouble.of(rate)
          : OptionalDouble.empty();
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
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
