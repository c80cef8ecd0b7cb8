package io.nightsweep.engine;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.workload.Workload;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps for each attempt how far its log was read, so that figures and failures are found in one
 * pass. The log of an unknown attempt, for example after a restart, is read from the start.
 */
final class LogDesk {
  /**
   * Beyond this number the oldest log is dropped; if it is requested again, it is read from the
   * start.
   */
  private static final int MOST_OPEN = 256;

  private final SweepDirectory directory;
  private final Workload workload;
  private final Diagnoser diagnoser;
  private final Map<AttemptId, JobLog> open =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<AttemptId, JobLog> eldest) {
          return size() > MOST_OPEN;
        }
      };

  LogDesk(SweepDirectory directory, Workload workload, Diagnoser diagnoser) {
    this.directory = directory;
    this.workload = workload;
    this.diagnoser = diagnoser;
  }

  /** The attempt's log, with the workload and the diagnoser as its listeners. */
  JobLog of(Workload.LaunchRequest request, AttemptState a) {
    JobLog known = open.get(a.id());
    // The job of an intent becomes known later, and with it the place of its launcher's log.
    if (known != null && a.job().isPresent()) {
      return known;
    }
    JobLog log = new JobLog(() -> workload.logs(request, a.job(), directory.job(a.id()).log()));
    workload.attend(request, log);
    diagnoser.attend(log);
    if (a.job().isPresent()) {
      open.put(a.id(), log);
    }
    return log;
  }

  /** The log of an ended attempt, read once to its end, however often it is requested. */
  JobLog ended(Workload.LaunchRequest request, AttemptState a) {
    JobLog log = of(request, a);
    log.finishOrWarn();
    return log;
  }

  /** Drops the log of an attempt that is judged and no longer needed. */
  void forget(AttemptId attempt) {
    open.remove(attempt);
  }
}
