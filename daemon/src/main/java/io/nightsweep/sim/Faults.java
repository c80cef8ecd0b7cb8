package io.nightsweep.sim;

/**
 * How often each fault occurs, as a probability per occasion.
 *
 * @param jobFails of a job, by a class that a retry cures
 * @param jobVanishes of a job: no source knows it any more
 * @param unreachable of a query or submission: no answer, nothing done
 * @param answerLost of a submission: queued, but the answer is lost
 * @param refused of a submission
 * @param crash of the daemon, at each append to the journal and each submission
 */
public record Faults(
    double jobFails,
    double jobVanishes,
    double unreachable,
    double answerLost,
    double refused,
    double crash) {
  public static Faults none() {
    return new Faults(0, 0, 0, 0, 0, 0);
  }

  /** Whether the cluster always answers, so that nothing changes but by a job's start or end. */
  boolean areOfJobsAlone() {
    return jobVanishes == 0 && unreachable == 0 && answerLost == 0 && refused == 0 && crash == 0;
  }
}
