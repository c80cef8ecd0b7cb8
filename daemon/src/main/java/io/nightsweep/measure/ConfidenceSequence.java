package io.nightsweep.measure;

/**
 * Intervals for a regression coefficient that hold at all looks simultaneously, with unknown
 * variance.
 *
 * <p>The radius inverts the sequential t-test of Lindon, Ham, Tingley and Bojinov, "Anytime-Valid
 * Linear Models and Regression Adjusted Causal Inference" (2022), Theorem 3.2: under Gaussian noise
 * the Bayes factor with a normal prior on the effect in units of the noise and right-Haar priors on
 * baseline and noise is a test martingale, so the chance that it ever exceeds 1 / level is at most
 * level (Ville's inequality). This is the small-sample form with the tails of the t density: with
 * few degrees of freedom the interval is unbounded rather than misleadingly narrow.
 */
final class ConfidenceSequence {

  /**
   * Precision of the prior on effects, in units of the noise; intervals are tightest for effects of
   * about two sigma.
   */
  private static final double PRIOR_PRECISION = 0.2;

  /**
   * Real noise has heavier tails than the normal distribution, even when its spread is well known.
   * With this bound, a sweep's intervals keep their level under t noise of three degrees of freedom
   * too.
   */
  private static final int MOST_DEGREES_OF_FREEDOM = 20;

  private ConfidenceSequence() {}

  /**
   * How many standard errors the interval reaches to either side; infinite while too little is
   * known.
   *
   * @param level the chance that any of the intervals misses, both sides together
   * @param variance of the estimate, in units of one run's variance
   */
  static double standardErrors(double level, double variance, int noiseDegreesOfFreedom) {
    if (noiseDegreesOfFreedom < 1) {
      return Double.POSITIVE_INFINITY;
    }
    int degreesOfFreedom = Math.min(noiseDegreesOfFreedom, MOST_DEGREES_OF_FREEDOM);
    double information = 1 / variance;
    double shrink = PRIOR_PRECISION / (PRIOR_PRECISION + information);
    double bound = Math.pow(level * level * shrink, 1.0 / (degreesOfFreedom + 1));
    return bound > shrink
        ? Math.sqrt(degreesOfFreedom * (1 - bound) / (bound - shrink))
        : Double.POSITIVE_INFINITY;
  }
}
