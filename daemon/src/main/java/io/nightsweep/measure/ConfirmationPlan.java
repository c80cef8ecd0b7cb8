package io.nightsweep.measure;

/**
 * A decision, taken before its runs, to measure a profile afresh. The number of runs up to the next
 * look is fixed then: a test that stops whenever it likes what it sees finds too much, and
 * publishes too much. A further plan for the same profile leads to a further look at all its fresh
 * runs.
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
