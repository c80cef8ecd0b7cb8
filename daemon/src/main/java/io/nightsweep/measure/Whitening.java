package io.nightsweep.measure;

/**
 * Turns runs with unit noise around a Brownian path into independent values of unit variance, in
 * time linear in the runs: the innovations of a Kalman filter of the path, each divided by its
 * standard deviation. The result equals the product with the inverse of the lower Cholesky factor
 * of the runs' covariance {@code [i == j] + wander min(hours[i], hours[j])}, but neither matrix is
 * formed.
 */
final class Whitening {

  private final double[] gains;
  private final double[] deviations;
  private final double logDeterminant;

  /**
   * @param hours since the path's start, ascending
   * @param wander variance of the path in an hour, in units of one run's variance
   */
  Whitening(double[] hours, double wander) {
    int n = hours.length;
    gains = new double[n];
    deviations = new double[n];
    double path = 0;
    double last = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      path += wander * (hours[i] - last);
      last = hours[i];
      double variance = path + 1;
      gains[i] = path / variance;
      deviations[i] = Math.sqrt(variance);
      path *= 1 - gains[i];
      sum += Math.log(variance);
    }
    logDeterminant = sum;
  }

  double[] apply(double[] values) {
    double[] white = new double[values.length];
    double expected = 0;
    for (int i = 0; i < values.length; i++) {
      double innovation = values[i] - expected;
      white[i] = innovation / deviations[i];
      expected += gains[i] * innovation;
    }
    return white;
  }

  /** The logarithm of the covariance's determinant. */
  double logDeterminant() {
    return logDeterminant;
  }
}
