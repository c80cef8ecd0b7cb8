package io.nightsweep.sim;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.EndDiagnoser;
import java.nio.file.Path;
import java.util.List;

/** Knows why a profile's jobs fail where the surface says so; else goes by the job's end. */
final class SimDiagnoser implements Diagnoser {
  private final SimCluster cluster;
  private final Diagnoser byEnd = new EndDiagnoser();

  SimDiagnoser(SimCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public Diagnosis diagnose(JobEnd end, Path log, int step, int stepsTotal) {
    return cluster
        .failureClass(log)
        .filter(c -> end.state() == JobEnd.State.FAILED)
        .map(c -> new Diagnosis(c, 1, List.of(), "the simulated surface says so", List.of()))
        .orElseGet(() -> byEnd.diagnose(end, log, step, stepsTotal));
  }
}
