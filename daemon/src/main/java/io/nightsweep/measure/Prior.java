package io.nightsweep.measure;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The belief about a profile before it runs: most have nearly the expected effect, which is zero
 * except for stacks, and a few have a large one. Two normal distributions around the expectation
 * ("spike and slab"). Used for ranking and planning, not for verdicts.
 *
 * @param slabWeight the share of profiles with a large effect
 * @param spikeDeviation log-gain deviation of the others
 * @param slabDeviation log-gain deviation of those with a large effect
 */
record Prior(double slabWeight, double spikeDeviation, double slabDeviation) {

  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /**
   * The belief after runs.
   *
   * @param mean expected log-gain now
   * @param expected log-gain before the runs
   * @param prior the belief before
   * @param estimate log-gain that the runs show
   * @param error its standard error
   */
  record Posterior(double mean, Prior prior, double expected, double estimate, double error) {

    double probabilityAtLeast(double logGain) {
      double slab = prior.slabShare(estimate - expected, error);
      return slab * tail(prior.slabDeviation, logGain - expected)
          + (1 - slab) * tail(prior.spikeDeviation, logGain - expected);
    }

    /**
     * The expected excess of the gain over {@code logGain}, counted as 0 where the gain is smaller.
     */
    double expectedAbove(double logGain) {
      double slab = prior.slabShare(estimate - expected, error);
      return slab * above(prior.slabDeviation, logGain - expected)
          + (1 - slab) * above(prior.spikeDeviation, logGain - expected);
    }

    private double tail(double deviation, double logGain) {
      return NORMAL.survivalProbability((logGain - mean(deviation)) / spread(deviation));
    }

    private double above(double deviation, double logGain) {
      return Prior.above(logGain - mean(deviation), spread(deviation));
    }

    private double mean(double deviation) {
      return shrink(deviation, error) * (estimate - expected);
    }

    private double spread(double deviation) {
      return Math.sqrt(shrink(deviation, error)) * error;
    }
  }

  /**
   * The expected excess over {@code logGain} for a profile that has not run, counted as 0 where its
   * gain is smaller.
   */
  double expectedAbove(double logGain) {
    return slabWeight * above(logGain, slabDeviation)
        + (1 - slabWeight) * above(logGain, spikeDeviation);
  }

  private static double above(double logGain, double deviation) {
    return deviation * NORMAL.density(logGain / deviation)
        - logGain * NORMAL.survivalProbability(logGain / deviation);
  }

  Posterior after(double expected, double estimate, double error) {
    double more = estimate - expected;
    double slab = slabShare(more, error);
    double mean =
        expected
            + more
                * (slab * shrink(slabDeviation, error)
                    + (1 - slab) * shrink(spikeDeviation, error));
    return new Posterior(mean, this, expected, estimate, error);
  }

  private double slabShare(double estimate, double error) {
    double slab = slabWeight * density(estimate, Math.hypot(slabDeviation, error));
    double spike = (1 - slabWeight) * density(estimate, Math.hypot(spikeDeviation, error));
    return slab + spike > 0 ? slab / (slab + spike) : 1;
  }

  private static double shrink(double deviation, double error) {
    return deviation * deviation / (deviation * deviation + error * error);
  }

  private static double density(double x, double deviation) {
    return NORMAL.density(x / deviation) / deviation;
  }
}
