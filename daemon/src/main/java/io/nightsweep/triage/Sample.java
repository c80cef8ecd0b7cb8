package io.nightsweep.triage;

import io.nightsweep.sweep.JobEnd;
import java.util.Optional;

/**
 * A log, how its job ended, and what that means.
 *
 * @param about where it is written, for people
 * @param beside the class that it is kept beside
 * @param expected the class it must get: another one for a near miss
 * @param end empty where the job still runs, and where nobody said how it ended
 * @param step as the workload tells, -1 where only the log does
 * @param stepsTotal 0 where only the log tells
 * @param running what is known of a running job; empty for all others
 * @param leastBytes the log is filled up to this size
 */
public record Sample(
    String about,
    String beside,
    String expected,
    String log,
    Optional<JobEnd> end,
    int step,
    int stepsTotal,
    Optional<Watch> running,
    long leastBytes) {
  /** The same log, of which another class is expected. */
  public Sample expecting(String failureClass) {
    return new Sample(about, beside, failureClass, log, end, step, stepsTotal, running, leastBytes);
  }
}
