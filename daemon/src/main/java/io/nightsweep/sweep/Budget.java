package io.nightsweep.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a sweep may spend; each limit is optional and the first one reached ends it.
 *
 * @param jobs attempts submitted, retries included
 * @param duration from the sweep's start, halts and pauses not counted out
 * @param until a moment; "until 07:30" is resolved once, when the sweep starts
 */
public record Budget(Optional<Integer> jobs, Optional<Duration> duration, Optional<Instant> until) {

  /** The earlier of the two time limits for a sweep started at {@code start}. */
  public Optional<Instant> deadline(Instant start) {
    Optional<Instant> byDuration = duration.map(start::plus);
    if (byDuration.isPresent() && until.isPresent()) {
      return byDuration.get().isBefore(until.get()) ? byDuration : until;
    }
    return byDuration.or(() -> until);
  }

  /** With the limits that the command gives; a duration replaces a moment, too. */
  Budget with(Command.SetBudget given) {
    return new Budget(
        given.jobs().or(() -> jobs),
        given.duration().or(() -> duration),
        given.duration().isPresent() ? Optional.empty() : until);
  }
}
