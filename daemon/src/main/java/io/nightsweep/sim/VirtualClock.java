package io.nightsweep.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves only when it is told to. */
public final class VirtualClock implements InstantSource {
  private Instant now;

  public VirtualClock(Instant start) {
    now = start;
  }

  @Override
  public Instant instant() {
    return now;
  }

  public void advance(Duration by) {
    now = now.plus(by);
  }

  /** Moves forward; never goes back. */
  public void advanceTo(Instant instant) {
    if (instant.isAfter(now)) {
      now = instant;
    }
  }
}
