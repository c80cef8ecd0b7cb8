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
record SweepStart(
    String sweep,
    long seed,
    Optional<SweepSpec> spec,
    Optional<Instant> at,
    Optional<SharedNight> night) {
  SweepStart with(SweepSpec newSpec) {
    return new SweepStart(sweep, seed, Optional.of(newSpec), at, night);
  }

  SweepStart with(SharedNight newNight) {
    return new SweepStart(sweep, seed, spec, at, Optional.of(newNight));
  }
}
