package io.nightsweep.cluster;

import java.time.Duration;

/**
 * A job that a launcher queues: a program of the user's own that calls {@code sbatch} itself, with
 * a job name of its own making.
 *
 * @param jobName unique; the launcher is told to carry it in the job's comment, and in its name
 *     between two characters that are neither letter nor digit
 * @param script lines of bash that run the launcher, on the machine where the cluster's commands
 *     are
 * @param patience the launcher is killed after this; what became of its job is then looked up
 */
public record LauncherSubmission(String jobName, String script, Duration patience, JobFiles files) {
  /** Whether a launcher's name for a job carries the intent's. */
  static boolean carries(String jobName, String name) {
    int at = name.indexOf(jobName);
    return at > 0
        && !Character.isLetterOrDigit(name.charAt(at - 1))
        && (at + jobName.length() == name.length()
            || !Character.isLetterOrDigit(name.charAt(at + jobName.length())));
  }
}
