package io.nightsweep.sweep;

import java.time.Instant;
import java.util.Optional;

/**
 * What a sweep was started with.
 *
 * @param seed feeds every random choice of the sweep
 * @param spec as it stands now: commands may change its budget and its nodes
 */
record Start(String sweep, long seed, Optional<SweepSpec> spec, Optional<Instant> at) {
  Start with(SweepSpec newSpec) {
    return new Start(sweep, seed, Optional.of(newSpec), at);
  }
}
