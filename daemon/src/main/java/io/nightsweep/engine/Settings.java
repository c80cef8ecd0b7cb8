package io.nightsweep.engine;

import java.time.Duration;

/**
 * Time limits of the engine.
 *
 * @param unknownGrace how long no source may know a job before it counts as vanished
 * @param intentGrace how long after an unanswered submission its job is looked up before it is
 *     submitted again
 * @param nodeGrace how long a job may wait for a node that is down before it is withdrawn
 * @param progressInterval the least time between two journaled progress events of an attempt
 */
public record Settings(
    Duration unknownGrace, Duration intentGrace, Duration nodeGrace, Duration progressInterval) {
  public static Settings defaults() {
    return new Settings(
        Duration.ofMinutes(2),
        Duration.ofSeconds(15),
        Duration.ofSeconds(20),
        Duration.ofSeconds(10));
  }
}
