package io.nightsweep.sweep;

/**
 * What is compared between profiles; always positive.
 *
 * @param name such as {@code tokensPerSecondPerDevice}
 * @param unit as shown to people, such as {@code tok/s/device}
 * @param better which way is an improvement
 */
public record Metric(String name, String unit, Better better) {
  public enum Better {
    HIGHER,
    LOWER
  }

  /** ln of the factor by which {@code value} improves on {@code reference}; positive is better. */
  public double logGain(double value, double reference) {
    double logRatio = Math.log(value / reference);
    return better == Better.HIGHER ? logRatio : -logRatio;
  }
}
