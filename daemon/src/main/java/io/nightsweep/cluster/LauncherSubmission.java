package io.nightsweep.cluster;

import java.time.Duration;

/**
 * A job that is queued by a launcher: the user's own program, which calls {@code sbatch} itself and
 * chooses the job's name.
 *
 * @param jobName unique; the launcher must put it into the job's comment, and into its name between
 *     two characters that are neither letters nor digits
 * @param script lines of bash that run the launcher, on the machine with the cluster's commands
 * @param patience the launcher is killed after this; its job is then looked up
 */
public record LauncherSubmission(String jobName, String script, Duration patience, JobFiles files) {
  /** Whether a launcher's name for a job contains the intent's. */
  static boolean carries(String jobName, String name) {
    int at = name.indexOf(jobName);
    return at > 0
        && !Character.isLetterOrDigit(name.charAt(at - 1))
        && (at + jobName.length() == name.length()
            || !Character.isLetterOrDigit(name.charAt(at + jobName.length())));
  }
}
