package io.nightsweep.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of day at the daemon's start, advanced by a clock that nobody sets. Sweeps measure
 * silences, waits and deadlines with it: if the machine's clock were set back by an hour, a wait of
 * 30 s would otherwise last an hour, and if it were set forward, every running job would count as
 * silent. Small corrections, as by time servers, are followed.
 */
public final class SteadyClock implements InstantSource {
  private static final Duration FOLLOWED = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(SteadyClock.class);

  private final InstantSource wall;
  private final LongSupplier nanos;
  private Instant last;
  private long lastNanos;
  private boolean isApart;

  public SteadyClock() {
    this(InstantSource.system(), System::nanoTime);
  }

  /**
   * @param nanos a monotonic clock with any origin
   */
  SteadyClock(InstantSource wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
    last = wall.instant();
    lastNanos = nanos.getAsLong();
  }

  /** Returns the time, but never an earlier one than before. */
  @Override
  public synchronized Instant instant() {
    long now = nanos.getAsLong();
    Instant counted = last.plusNanos(now - lastNanos);
    Instant told = wall.instant();
    Duration apart = Duration.between(counted, told);
    boolean isJump = apart.abs().compareTo(FOLLOWED) > 0;
    if (isJump && !isApart) {
      log.warn(
          "the machine's clock was changed by {} s; the sweeps go on by the earlier time",
          apart.toSeconds());
    }
    isApart = isJump;
    last = isJump || told.isBefore(last) ? counted : told;
    lastNanos = now;
    return last;
  }
}
