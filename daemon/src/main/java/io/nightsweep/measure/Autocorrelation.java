package io.nightsweep.measure;

/**
 * Successive steps resemble each other, so n steps carry less information than n independent ones.
 *
 * <p>A first-order autoregression is fitted: with lag-one correlation r, the mean of n steps is as
 * precise as that of about n (1 - r) / (1 + r) independent ones. The sample correlation of a short
 * series is too low by (1 + 3 r) / n (Marriott and Pope 1954, Kendall 1954) and is corrected for
 * that. A negative correlation counts as 0, so the effective size never exceeds n.
 */
final class Autocorrelation {

  private static final double LARGEST = 0.95;

  private Autocorrelation() {}

  /** Between 1 and the length of {@code values}. */
  static double effectiveSize(double[] values) {
    int n = values.length;
    if (n < 3) {
      return n;
    }
    double r = Math.clamp(lagOne(values), 0, LARGEST);
    return Math.max(1, n * (1 - r) / (1 + r));
  }

  /** The lag-one correlation, corrected for the length of the series; 0 for a constant series. */
  static double lagOne(double[] values) {
    int n = values.length;
    double mean = 0;
    for (double value : values) {
      mean += value / n;
    }
    double product = 0;
    double square = 0;
    for (int i = 0; i < n; i++) {
      square += (values[i] - mean) * (values[i] - mean);
      if (i > 0) {
        product += (values[i] - mean) * (values[i - 1] - mean);
      }
    }
    if (square == 0) {
      return 0;
    }
    double raw = product / square;
    return raw + (1 + 3 * raw) / n;
  }
}
