package io.nightsweep.bench;

import io.nightsweep.plan.Study;

/** A time that a model gives, in seconds; it is drawn beside measured ones and never divides. */
record Estimated(double seconds) {
  /**
   * @param latencySeconds of a short message, measured in the same run
   * @param bytesPerSecond of a long one
   */
  static Estimated of(
      Study.Cost cost, double stateBytes, double latencySeconds, double bytesPerSecond) {
    return new Estimated(
        cost.messages() * latencySeconds + cost.share() * stateBytes / bytesPerSecond);
  }
}
