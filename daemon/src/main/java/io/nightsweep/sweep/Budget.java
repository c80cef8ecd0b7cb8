package io.nightsweep.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a sweep may spend. Each limit is optional; the first limit reached ends the sweep.
 *
 * @param jobs attempts submitted, retries included
 * @param duration from the sweep's start, including halts and pauses
 * @param until an absolute time; "until 07:30" is resolved once, when the sweep starts
 * @param nodeHours of the pinned nodes that jobs may use: a job's number of nodes times its running
 *     hours; nothing is spent while no job runs
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

  /**
   * How long jobs may run one after the other on this many nodes before the node-hours are spent.
   */
  public Optional<Duration> runningTime(int nodes) {
    return nodeHours.map(h -> Duration.ofMillis(Math.round(h * 3_600_000 / nodes)));
  }

  /**
   * This budget with the limits that the command gives; a duration also replaces an absolute time.
   */
  Budget with(Command.SetBudget given) {
    return new Budget(
        given.jobs().or(() -> jobs),
        given.duration().or(() -> duration),
        given.duration().isPresent() ? Optional.empty() : until,
        given.nodeHours().or(() -> nodeHours));
  }
}
