package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import java.util.Optional;

/** Interprets an attempt's log and end. The log itself keeps what the diagnoser has read. */
public interface Diagnoser {
  /** Adds a listener to an attempt's log; called before any line is read. */
  void attend(JobLog log);

  /**
   * Checks a running job; called once per tick.
   *
   * @return why the job must be cancelled, once it is silent for too long or its log grows without
   *     end: the cause in its log if there is one, otherwise the silence itself
   */
  Optional<Diagnosis> look(AttemptId attempt, JobLog log, Watch watch);

  /**
   * Reads the rest of the log. A cause in the log takes precedence even if the job was given up
   * because of its silence; lines that a cancellation itself causes do not count.
   *
   * @param end from the cluster or the job's own record
   * @param step the last step seen, -1 if there was none
   * @param stepsTotal 0 if unknown
   * @param givenUp why the job was cancelled while it ran or waited, if it was
   */
  Diagnosis diagnose(
      AttemptId attempt,
      JobEnd end,
      JobLog log,
      int step,
      int stepsTotal,
      Optional<Diagnosis> givenUp);
}
