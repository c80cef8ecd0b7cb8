package io.nightsweep.bench;

import io.nightsweep.plan.Study;

/**
 * A modelled time in seconds. It is drawn beside measured times, and no ratio of the two can be
 * formed.
 */
record EstimatedTime(double seconds) {
  /**
   * @param latencySeconds of a short message, measured in the same run
   * @param bytesPerSecond of a long message, measured in the same run
   */
  static EstimatedTime of(
      Study.Cost cost, double stateBytes, double latencySeconds, double bytesPerSecond) {
    return new EstimatedTime(
        cost.messages() * latencySeconds + cost.share() * stateBytes / bytesPerSecond);
  }
}
