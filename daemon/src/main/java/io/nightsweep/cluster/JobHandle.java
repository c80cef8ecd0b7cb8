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

  /** Whether a job of this name or comment is this intent's, whoever submitted it. */
  public boolean isOf(String name, String comment) {
    return isNamed(name) || isSaidBy(comment);
  }

  /**
   * Whether both are this intent's: each submission's comment begins with its name. A cluster may
   * keep no comments.
   */
  public boolean isWhollyOf(String name, String comment) {
    return isNamed(name) && (comment.isBlank() || comment.equals("(null)") || isSaidBy(comment));
  }

  private boolean isSaidBy(String comment) {
    return comment.split(" ", 2)[0].equals(jobName);
  }

  /** A launcher's name for the job has the intent's between marks. */
  private boolean isNamed(String name) {
    return name.equals(jobName) || LauncherSubmission.carries(jobName, name);
  }
}
