package io.nightsweep.triage;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import java.nio.file.Path;

/** Says what an attempt's end means when it measured nothing. */
public interface Diagnoser {
  /** The training succeeded and only what came after it failed: the measurement stands. */
  String SOFT_SUCCESS = "soft-success";

  /**
   * @param end as the cluster or the job's own record tells it
   * @param log read once; may be absent, truncated or very large
   * @param step the last step seen, -1 where none
   * @param stepsTotal 0 where unknown
   */
  Diagnosis diagnose(JobEnd end, Path log, int step, int stepsTotal);
}
