package io.nightsweep.engine;

import java.time.Duration;

/**
 * How often a cluster is polled.
 *
 * @param shortest the time between two polls of a cluster that answers at once
 * @param longest the time between two polls, however slowly the cluster answers
 */
public record LookPace(Duration shortest, Duration longest) {
  private static final Duration SHORTEST = Duration.ofMillis(500);

  /** The controller also serves other users, and a slow answer may mean that it is overloaded. */
  static final LookPace OF_A_SHARED_QUEUE = new LookPace(SHORTEST, Duration.ofMinutes(1));

  /** The queue serves only this daemon; a slow answer only means that the machine is busy. */
  static final LookPace OF_AN_OWN_QUEUE = new LookPace(SHORTEST, Duration.ofSeconds(2));
}
