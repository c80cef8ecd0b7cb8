package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * What a sweep was started with.
 *
 * @param seed feeds every random choice of the sweep
 * @param spec in its present form: commands may change its budget and its nodes
 * @param night that it shares with other sweeps; empty if it has its nodes to itself
 */
record Start(
    String sweep,
    long seed,
    Optional<SweepSpec> spec,
    Optional<Instant> at,
    Optional<SharedNight> night) {
  Start with(SweepSpec newSpec) {
    return new Start(sweep, seed, Optional.of(newSpec), at, night);
  }

  Start with(SharedNight newNight) {
    return new Start(sweep, seed, spec, at, Optional.of(newNight));
  }
}
