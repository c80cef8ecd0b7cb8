package io.nightsweep.triage;

import io.nightsweep.sweep.JobEnd;
import java.util.Optional;

/**
 * A log, how its job ended, and the expected diagnosis.
 *
 * @param about where it is written, for people
 * @param beside the class with which it is stored
 * @param expected the class that it must get; a different one for a near miss
 * @param end empty if the job still runs or its end is unknown
 * @param step from the workload, -1 if only the log has it
 * @param stepsTotal 0 if only the log has it
 * @param running what is known about a running job; empty for all others
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
  /** The same log with another expected class. */
  public Sample expecting(String failureClass) {
    return new Sample(about, beside, failureClass, log, end, step, stepsTotal, running, leastBytes);
  }
}
