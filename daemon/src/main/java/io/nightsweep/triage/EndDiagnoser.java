package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import java.util.List;
import java.util.Optional;

/** Classifies an attempt only by how its job ended, without reading the log. */
public final class EndDiagnoser implements Diagnoser {
  @Override
  public Optional<Diagnosis> look(AttemptId attempt, JobLog log, Watch watch) {
    return Optional.empty();
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
    if (givenUp.isPresent()) {
      return givenUp.get();
    }
    String failureClass =
        switch (end.state()) {
          case COMPLETED, FAILED, DUPLICATE -> KnownClasses.UNCLASSIFIED;
          case CANCELLED -> KnownClasses.CANCELLED;
          case TIME_LIMIT -> KnownClasses.TIME_LIMIT;
          case OUT_OF_MEMORY -> KnownClasses.OOM_HOST;
          case NODE_FAIL -> KnownClasses.NODE_FAIL;
          case PREEMPTED, REQUEUED -> KnownClasses.PREEMPTED;
          case NEVER_STARTED -> KnownClasses.PROLOG_KILL;
          case VANISHED -> KnownClasses.VANISHED;
        };
    return new Diagnosis(
        failureClass,
        failureClass.equals(KnownClasses.UNCLASSIFIED) ? 0 : 0.5,
        List.of(),
        Statement.phrase("ended-as", end.state(), end.exitCode()),
        List.of());
  }
}
