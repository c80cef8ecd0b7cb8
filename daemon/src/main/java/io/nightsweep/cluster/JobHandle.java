package io.nightsweep.cluster;

import io.nightsweep.sweep.JobId;
import java.time.Instant;
import java.util.Optional;

/**
 * What is needed to query a job.
 *
 * @param jobName unique among all intents of all sweeps
 * @param job absent while it is unknown whether the submission succeeded
 * @param intendedAt accounting is searched from here on
 */
public record JobHandle(String jobName, Optional<JobId> job, Instant intendedAt, JobFiles files) {
  /** The handle without the job's id. */
  public JobHandle unanswered() {
    return new JobHandle(jobName, Optional.empty(), intendedAt, files);
  }

  /** Whether a job with this name or comment belongs to this intent, whoever submitted it. */
  public boolean isOf(String name, String comment) {
    return isNamed(name) || isSaidBy(comment);
  }

  /**
   * Whether both name and comment are this intent's, since each submission's comment begins with
   * the name. A cluster may store no comments.
   */
  public boolean isWhollyOf(String name, String comment) {
    return isNamed(name) && (comment.isBlank() || comment.equals("(null)") || isSaidBy(comment));
  }

  private boolean isSaidBy(String comment) {
    return comment.split(" ", 2)[0].equals(jobName);
  }

  /**
   * Whether the name is the intent's, or a launcher's name with the intent's between separators.
   */
  private boolean isNamed(String name) {
    return name.equals(jobName) || LauncherSubmission.carries(jobName, name);
  }
}
