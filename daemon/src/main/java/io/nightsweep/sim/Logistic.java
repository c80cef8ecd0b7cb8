package io.nightsweep.sim;

import java.util.List;

/**
 * A probability that rises with a gain: {@code 1 / (1 + exp(-(level + slope x)))}, fitted by
 * maximum likelihood.
 */
record Logistic(double level, double slope) {

  /** One night: the gain of its good profile, and whether the gain was confirmed. */
  record GainedNight(double gain, boolean found) {}

  private static final int ROUNDS = 40;

  /**
   * Adds this weight of uninformative nights, so that the fit stays finite if all or no nights
   * succeeded.
   */
  private static final double RIDGE = 0.02;

  static Logistic fit(List<GainedNight> points) {
    double scale = points.stream().mapToDouble(GainedNight::gain).max().orElse(1);
    double a = 0;
    double b = 0;
    for (int round = 0; round < ROUNDS; round++) {
      double gradientA = -RIDGE * a;
      double gradientB = -RIDGE * b;
      double aa = RIDGE;
      double ab = 0;
      double bb = RIDGE;
      for (GainedNight point : points) {
        double x = point.gain() / scale;
        double p = 1 / (1 + Math.exp(-(a + b * x)));
        double residual = (point.found() ? 1 : 0) - p;
        double weight = p * (1 - p);
        gradientA += residual;
        gradientB += residual * x;
        aa += weight;
        ab += weight * x;
        bb += weight * x * x;
      }
      double determinant = aa * bb - ab * ab;
      double stepA = (bb * gradientA - ab * gradientB) / determinant;
      double stepB = (aa * gradientB - ab * gradientA) / determinant;
      double shorter = Math.min(1, 4 / Math.max(1e-9, Math.hypot(stepA, stepB)));
      a += shorter * stepA;
      b += shorter * stepB;
    }
    return new Logistic(a, b / scale);
  }

  double at(double gain) {
    return 1 / (1 + Math.exp(-(level + slope * gain)));
  }

  /** The gain at which the probability has this value; infinite where it does not rise. */
  double gainOf(double chance) {
    return slope > 0 ? (Math.log(chance / (1 - chance)) - level) / slope : Double.POSITIVE_INFINITY;
  }
}
