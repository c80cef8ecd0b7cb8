package io.nightsweep.sim;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.EndDiagnoser;
import io.nightsweep.triage.Watch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Knows why a profile's jobs fail where the surface says so; else goes by the job's end. */
final class SimDiagnoser implements Diagnoser {
  private final SimCluster cluster;
  private final Diagnoser byEnd = new EndDiagnoser();

  SimDiagnoser(SimCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public Optional<Diagnosis> look(AttemptId attempt, Path log, Watch watch) {
    return Optional.empty();
  }

  @Override
  public void forget(AttemptId attempt) {}

  @Override
  public Diagnosis diagnose(AttemptId attempt, JobEnd end, Path log, int step, int stepsTotal) {
    return cluster
        .failureClass(log)
        .filter(c -> end.state() == JobEnd.State.FAILED)
        .map(c -> new Diagnosis(c, 1, List.of(), "the simulated surface says so", List.of()))
        .orElseGet(() -> byEnd.diagnose(attempt, end, log, step, stepsTotal));
  }
}
