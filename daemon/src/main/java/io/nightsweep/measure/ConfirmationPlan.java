package io.nightsweep.measure;

/**
 * A decision, taken before its runs, to measure a profile afresh. The number of runs is fixed then:
 * a test that stops when it likes what it sees finds too much, and publishes too much. A second
 * plan for the same profile extends the first one.
 *
 * @param profile the leader
 * @param runsPerArm its runs, and as many of the control
 */
public record ConfirmationPlan(String profile, int runsPerArm) {

  public ConfirmationPlan {
    if (runsPerArm < 2) {
      throw new IllegalArgumentException(
          "a confirmation needs at least 2 runs per arm, found " + runsPerArm);
    }
  }

  public int jobs() {
    return 2 * runsPerArm;
  }
}
