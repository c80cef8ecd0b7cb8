#pragma once
#include "json.hpp"

namespace nightsweep {

/**
 * What a case is expected to take, where nothing is known of the machine: on a reference with one processor
 * core a rank (2.5 GHz, vectors of 8 doubles) whose messages take 5 us and 1.6 ns a byte. Another machine
 * differs by a factor, which whoever has times of earlier runs can find; the proportions between cases hold
 * to about a factor of three.
 */
struct Projection {
  /** To make the case, and to check it before and after. */
  double fixed_seconds = 0;
  /** One round of all components, as a warm-up has it. */
  double round_seconds = 0;
};

/** Of a whole identity. */
Projection projected(const Json& identity);

/**
 * The same case at a fraction of its size, to rehearse a study: bytes, elements and dimensions of matrices
 * and tokens are divided, down to what still has the shape of the case. Counts of tokens, experts and heads
 * stay.
 *
 * @param given parameters by name, whole
 */
Json scaled(Json given, int divisor);

}  // namespace nightsweep
