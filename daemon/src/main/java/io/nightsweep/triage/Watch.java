package io.nightsweep.triage;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is known about a running job besides its log.
 *
 * @param lastStepAt when its latest step was first seen, or now if nobody has looked for a newer
 *     one
 * @param step the last step seen, -1 if there was none
 * @param stepsTotal 0 if unknown
 * @param firstCompile whether the compile time on the cell is still unknown: no training with this
 *     config tag has reached a step on these nodes
 * @param baseline whether its profile is a baseline, which is never dropped as out of memory
 * @param baselineStepSeconds duration of a step in the sweep's baselines, if known
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

  /**
   * The same watch for a job of at most this age: it cannot have been silent for longer than it has
   * existed.
   */
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
