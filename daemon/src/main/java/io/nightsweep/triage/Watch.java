package io.nightsweep.triage;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a running job beside its log.
 *
 * @param lastStepAt when its latest step was first seen
 * @param step the last step seen, -1 where none
 * @param stepsTotal 0 where unknown
 * @param firstOnNodes whether no job of the sweep ran on these nodes before: loading the image and
 *     compiling may take long
 * @param baseline whether its profile is a baseline, which is never dropped as out of memory
 */
public record Watch(
    Instant now,
    Instant startedAt,
    Optional<Instant> lastStepAt,
    int step,
    int stepsTotal,
    boolean firstOnNodes,
    boolean baseline) {
  Duration silence() {
    return Duration.between(lastStepAt.orElse(startedAt), now);
  }
}
