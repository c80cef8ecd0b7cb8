package io.nightsweep.sweep;

/**
 * The metric by which profiles are compared; always positive.
 *
 * @param name such as {@code tokensPerSecondPerDevice}
 * @param unit as shown to people, such as {@code tok/s/device}
 * @param better which direction is an improvement
 */
public record Metric(String name, String unit, Better better) {
  public enum Better {
    HIGHER,
    LOWER
  }
}
