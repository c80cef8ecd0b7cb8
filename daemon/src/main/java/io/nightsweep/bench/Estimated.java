package io.nightsweep.bench;

import io.nightsweep.plan.Study;

/**
 * A modelled time in seconds. It is drawn beside measured times, and no ratio of the two can be
 * formed.
 */
record Estimated(double seconds) {
  /**
   * @param latencySeconds of a short message, measured in the same run
   * @param bytesPerSecond of a long message, measured in the same run
   */
  static Estimated of(
      Study.Cost cost, double stateBytes, double latencySeconds, double bytesPerSecond) {
    return new Estimated(
        cost.messages() * latencySeconds + cost.share() * stateBytes / bytesPerSecond);
  }
}
