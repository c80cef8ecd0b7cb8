package io.nightsweep.sim;

import io.nightsweep.sweep.JobEnd.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One job of the simulated cluster.
 *
 * @param profile that the job runs; empty where its launch names none
 * @param steps number of steps
 * @param nodes that it requests
 * @param queued when it entered the queue
 * @param delay wait for nodes that are free already
 * @param length its time on the nodes
 * @param work its length if it runs to its end
 * @param standsStill the amount of work after which it hangs, if it does
 * @param outcome how it ends; empty where no source knows the job afterwards
 */
record SimJob(
    String name,
    Optional<String> profile,
    int steps,
    List<String> nodes,
    Instant queued,
    Duration delay,
    Duration length,
    Duration work,
    Optional<Duration> standsStill,
    Optional<State> outcome,
    Instant start,
    Instant end) {

  SimJob cancelledAt(Instant now) {
    return at(start.isAfter(now) ? now : start, now, Optional.of(State.CANCELLED));
  }

  /** The same job with its nodes free from this moment on. */
  SimJob from(Instant free) {
    Instant begun = (free.isAfter(queued) ? free : queued).plus(delay);
    return at(begun, begun.plus(length), outcome);
  }

  /** A second job of the submission, which found the claim taken and ended at once. */
  SimJob duplicate() {
    return at(start, start, Optional.of(State.DUPLICATE));
  }

  private SimJob at(Instant from, Instant until, Optional<State> how) {
    return new SimJob(
        name, profile, steps, nodes, queued, delay, length, work, standsStill, how, from, until);
  }

  boolean isLive(Instant now) {
    return now.isBefore(end);
  }

  /** Whether it runs or ran; a job that was cancelled while it waited never did. */
  boolean heldNodes() {
    return end.isAfter(start);
  }
}
