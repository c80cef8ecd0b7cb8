package io.nightsweep.measure;

/**
 * A decision to measure a profile afresh, taken before the runs. It fixes the number of runs up to
 * the next look: a test that may stop whenever the result looks good finds too many gains and
 * overstates them. Another plan for the same profile leads to another look at all its fresh runs.
 *
 * @param profile the leader
 * @param runsPerArm its runs, and as many of the control
 */
public record ConfirmationPlan(String profile, int runsPerArm) {

  public ConfirmationPlan {
    if (runsPerArm < 1) {
      throw new IllegalArgumentException(
          "a confirmation needs at least 1 run per arm, found " + runsPerArm);
    }
  }

  public int jobs() {
    return 2 * runsPerArm;
  }
}
