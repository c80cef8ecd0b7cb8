package io.nightsweep.measure;

/**
 * How much runs of the same profile differ, all as standard deviations of log metrics.
 *
 * @param total of one run around the drifting baseline; NaN without degrees of freedom
 * @param withinRun the part of it that the steps of a run explain (root mean square of the runs'
 *     own standard errors); 0 if unknown
 * @param degreesOfFreedom behind {@code total}: repeats beyond the first of each profile
 * @param driftRange the estimated baseline's highest value less its lowest over the runs
 * @param controls how many control runs there are
 */
public record Noise(
    double total, double withinRun, int degreesOfFreedom, double driftRange, int controls) {

  /** No profile has been repeated yet. */
  public static final Noise UNKNOWN = new Noise(Double.NaN, 0, 0, 0, 0);

  /**
   * One run's noise from both estimates, weighted by their degrees of freedom; NaN if neither is
   * known.
   */
  public double pooledWith(Noise other) {
    double own = known() ? degreesOfFreedom * total * total : 0;
    double others = other.known() ? other.degreesOfFreedom * other.total * other.total : 0;
    return Math.sqrt((own + others) / (degreesOfFreedom + other.degreesOfFreedom));
  }

  public boolean known() {
    return degreesOfFreedom > 0;
  }

  /**
   * The noise to plan with: the estimate, drawn towards {@code expected} as if that had been
   * observed with two degrees of freedom. For planning and ranking only; verdicts do not use it.
   */
  public double planning(double expected) {
    double seen = known() ? degreesOfFreedom * total * total : 0;
    return Math.sqrt((2 * expected * expected + seen) / (2 + degreesOfFreedom));
  }
}
