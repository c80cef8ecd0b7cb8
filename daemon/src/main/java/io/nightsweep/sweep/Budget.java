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
 * @param nodeHours that jobs may take of the pinned nodes: the nodes of a job times the hours that
 *     it runs; while nothing runs, nothing is spent
 */
public record Budget(
    Optional<Integer> jobs,
    Optional<Duration> duration,
    Optional<Instant> until,
    Optional<Double> nodeHours) {

  /** The earlier of the two time limits for a sweep started at {@code start}. */
  public Optional<Instant> deadline(Instant start) {
    Optional<Instant> byDuration = duration.map(start::plus);
    if (byDuration.isPresent() && until.isPresent()) {
      return byDuration.get().isBefore(until.get()) ? byDuration : until;
    }
    return byDuration.or(() -> until);
  }

  /** How long jobs may run on so many nodes, one after the other, to spend the node-hours. */
  public Optional<Duration> runningTime(int nodes) {
    return nodeHours.map(h -> Duration.ofMillis(Math.round(h * 3_600_000 / nodes)));
  }

  /** With the limits that the command gives; a duration replaces a moment, too. */
  Budget with(Command.SetBudget given) {
    return new Budget(
        given.jobs().or(() -> jobs),
        given.duration().or(() -> duration),
        given.duration().isPresent() ? Optional.empty() : until,
        given.nodeHours().or(() -> nodeHours));
  }
}
