package io.nightsweep.bench;

/**
 * A measured time in seconds. {@link Estimated} is a separate type, so that no ratio of a measured
 * and an estimated time can be formed.
 */
record Measured(double seconds) {
  /** This time divided by the other one. */
  double ratioTo(Measured other) {
    return seconds / other.seconds;
  }
}
