package io.nightsweep.triage;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is known of a running job beside its log.
 *
 * @param lastStepAt when its latest step was first seen, or now where nobody has looked for a newer
 *     one
 * @param step the last step seen, -1 where none
 * @param stepsTotal 0 where unknown
 * @param firstCompile whether nobody knows yet how long the cell takes to compile: no training of
 *     its config tag has come to a step on these nodes
 * @param baseline whether its profile is a baseline, which is never dropped as out of memory
 * @param baselineStepSeconds how long the sweep's baselines took for a step, where they are known
 */
public record Watch(
    Instant now,
    Instant startedAt,
    Optional<Instant> lastStepAt,
    int step,
    int stepsTotal,
    boolean firstCompile,
    boolean baseline,
    OptionalDouble baselineStepSeconds) {
  public Duration silence() {
    return Duration.between(lastStepAt.orElse(startedAt), now);
  }

  /** The same for a job of at most this age: it cannot be silent for longer than it has existed. */
  public Watch noOlderThan(Duration age) {
    Instant begun = now.minus(age);
    return new Watch(
        now,
        startedAt.isBefore(begun) ? begun : startedAt,
        lastStepAt.map(at -> at.isBefore(begun) ? begun : at),
        step,
        stepsTotal,
        firstCompile,
        baseline,
        baselineStepSeconds);
  }
}
