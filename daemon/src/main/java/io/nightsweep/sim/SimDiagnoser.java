package io.nightsweep.sim;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Statement;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.EndDiagnoser;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.Watch;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A diagnoser that knows which failures come from the surface. It takes all others for transient
 * launch failures, if the playbook knows such a class; else it goes by the job's end. A hanging job
 * is found by the playbook's own rules of silence.
 */
final class SimDiagnoser implements Diagnoser {
  private final SimCluster cluster;
  private final Diagnoser byEnd = new EndDiagnoser();
  private final Playbook playbook;

  /**
   * Created for the first job that hangs, since it compiles the playbook's patterns and few nights
   * have such jobs.
   */
  private @Nullable Diagnoser bySilence;

  private final Optional<String> flake;

  SimDiagnoser(SimCluster cluster, Playbook playbook) {
    this.cluster = cluster;
    this.playbook = playbook;
    flake =
        Optional.of(KnownClasses.RCCL_INIT_FLAKE).filter(id -> playbook.remedies().containsKey(id));
  }

  @Override
  public Optional<Diagnosis> look(AttemptId attempt, JobLog log, Watch watch) {
    return cluster.hangs(log.path()) ? bySilence().look(attempt, log, watch) : Optional.empty();
  }

  private Diagnoser bySilence() {
    Diagnoser made = bySilence;
    if (made == null) {
      made = new PlaybookDiagnoser(playbook.recognition());
      bySilence = made;
    }
    return made;
  }

  @Override
  public void attend(JobLog log) {}

  @Override
  public Diagnosis diagnose(
      AttemptId attempt,
      JobEnd end,
      JobLog log,
      int step,
      int stepsTotal,
      Optional<Diagnosis> givenUp) {
    return cluster
        .failureClass(log.path())
        .or(() -> flake)
        .filter(c -> end.state() == JobEnd.State.FAILED)
        .map(c -> new Diagnosis(c, 1, List.of(), Statement.phrase("simulated"), List.of()))
        .orElseGet(() -> byEnd.diagnose(attempt, end, log, step, stepsTotal, givenUp));
  }
}
