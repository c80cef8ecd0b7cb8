package io.nightsweep.cluster;

import io.nightsweep.sweep.JobId;
import java.time.Instant;
import java.util.Optional;

/**
 * What is needed to ask about a job.
 *
 * @param jobName unique among all intents of all sweeps
 * @param job absent where the submission's outcome is unknown
 * @param intendedAt accounting is searched from here on
 */
public record JobHandle(String jobName, Optional<JobId> job, Instant intendedAt, JobFiles files) {
  /** The handle without the job's id. */
  public JobHandle unanswered() {
    return new JobHandle(jobName, Optional.empty(), intendedAt, files);
  }

  /** Whether a job of this name and comment is this intent's, whoever submitted it. */
  public boolean isOf(String name, String comment) {
    return LauncherSubmission.isOf(jobName, name, comment);
  }
}
