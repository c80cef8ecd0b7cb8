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
}
