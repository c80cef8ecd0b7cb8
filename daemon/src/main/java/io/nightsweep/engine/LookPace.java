package io.nightsweep.engine;

import java.time.Duration;

/**
 * How often a cluster is looked at.
 *
 * @param shortest the time between two looks where it answers at once
 * @param longest the time between them however slowly it answers
 */
public record LookPace(Duration shortest, Duration longest) {
  private static final Duration SHORTEST = Duration.ofMillis(500);

  /** Its controller serves others too, and a slow answer may mean that it is overloaded. */
  static final LookPace OF_A_SHARED_QUEUE = new LookPace(SHORTEST, Duration.ofMinutes(1));

  /** It serves nobody else; a slow answer tells of a busy machine alone. */
  static final LookPace OF_AN_OWN_QUEUE = new LookPace(SHORTEST, Duration.ofSeconds(2));
}
