package io.nightsweep.engine;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.workload.Workload;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps for each attempt how far its log was read, so that its figures and its failure are read in
 * one pass. An attempt that it does not know, as after a restart, is read from the start.
 */
final class LogDesk {
  /**
   * Beyond this number the oldest log is dropped; if it is asked for again, it is read from the
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

  /** The attempt's log; the workload and the diagnoser listen to it. */
  JobLog of(Workload.LaunchRequest request, AttemptState a) {
    JobLog known = open.get(a.id());
    // An intent's job becomes known later, and with it where its launcher writes.
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

  /**
   * The log of an attempt that has ended, read to its end; once only, however often it is asked.
   */
  JobLog ended(Workload.LaunchRequest request, AttemptState a) {
    JobLog log = of(request, a);
    log.finishOrWarn();
    return log;
  }

  /** The attempt is judged, and looked at no more. */
  void forget(AttemptId attempt) {
    open.remove(attempt);
  }
}
