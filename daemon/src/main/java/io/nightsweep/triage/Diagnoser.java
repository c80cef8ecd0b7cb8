package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import java.util.Optional;

/** Says what an attempt's log and end mean. What it heard is kept by the log itself. */
public interface Diagnoser {
  /** Listens to an attempt's log from now on; called before anything of it is read. */
  void attend(JobLog log);

  /**
   * Looks at a job that runs; called once a tick.
   *
   * @return why the job must be cancelled, once it is silent for too long or its log grows without
   *     end: the cause that its log tells, else the silence itself
   */
  Optional<Diagnosis> look(AttemptId attempt, JobLog log, Watch watch);

  /**
   * Reads the rest of the log. A cause that the log tells is the answer even where the job was
   * given up for its silence; what a cancellation itself leaves in the log is no cause.
   *
   * @param end as the cluster or the job's own record tells it
   * @param step the last step seen, -1 where none
   * @param stepsTotal 0 where unknown
   * @param givenUp why the job was cancelled while it ran or waited, where it was
   */
  Diagnosis diagnose(
      AttemptId attempt,
      JobEnd end,
      JobLog log,
      int step,
      int stepsTotal,
      Optional<Diagnosis> givenUp);
}
