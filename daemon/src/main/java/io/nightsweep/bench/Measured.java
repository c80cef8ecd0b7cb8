package io.nightsweep.bench;

/**
 * A time that was measured, in seconds. An {@link Estimated} one is another type: no ratio crosses
 * them.
 */
record Measured(double seconds) {
  /** How many times as long as the other. */
  double ratioTo(Measured other) {
    return seconds / other.seconds;
  }
}
