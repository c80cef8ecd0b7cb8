package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.kernels.KernelsWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The parts of a real night. */
public final class RealParts implements Parts {
  private static final Duration SHORTEST_TICK = Duration.ofMillis(500);

  private static final List<String> LOCAL_NODES = List.of("n1", "n2", "n3", "n4");

  private final Path home;

  /**
   * @param home where the kernels are looked for
   */
  public RealParts(Path home) {
    this.home = home;
  }

  @Override
  public Cluster cluster(ClusterChoice choice, StateDirectory state) {
    return switch (choice.kind()) {
      case SLURM ->
          new SlurmCluster(
              CommandRunner.direct(SlurmCluster.environment(choice.slurmConf())),
              InstantSource.system());
      case LOCAL -> new LocalCluster(state.root().resolve("local"), LOCAL_NODES);
    };
  }

  @Override
  public Duration shortestTick(ClusterChoice choice) {
    return SHORTEST_TICK;
  }

  @Override
  public Workload workload(String kind) {
    return switch (kind) {
      case "kernels" -> new KernelsWorkload(home);
      default -> throw new IllegalArgumentException("no workload '" + kind + "' in this build");
    };
  }

  @Override
  public Diagnoser diagnoser(SweepSpec spec) {
    return new PlaybookDiagnoser(spec.playbook().recognition());
  }

  @Override
  public RemedySteps remedySteps(ClusterChoice choice, Cluster cluster, Workload workload) {
    CommandRunner here = CommandRunner.direct(Map.of());
    return new RemedyActions(cluster, workload, new NodeEvidence(here), new NicReset(here));
  }

  @Override
  public Reporter reporter() {
    return (directory, state) -> ReportWriter.write(directory.reports(), state);
  }
}
