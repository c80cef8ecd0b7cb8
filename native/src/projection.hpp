#pragma once
#include "json.hpp"

namespace nightsweep {

/**
 * The expected time of a case if nothing is known about the machine: for a reference with one processor core
 * for each rank (2.5 GHz, vectors of 8 doubles) and messages of 5 us plus 1.6 ns a byte. Another machine
 * differs by a factor, which can be derived from times of earlier runs; the proportions between cases are
 * right to about a factor of three.
 */
struct Projection {
  /** Making the case, and checking it before and after. */
  double fixed_seconds = 0;
  /** One round of all components, as in a warm-up. */
  double round_seconds = 0;
};

/** The projection for a whole identity. */
Projection projected(const Json& identity);

/**
 * The same case at a fraction of its size, for rehearsing a study: bytes, elements and dimensions of matrices
 * and tokens are divided, as far as the case keeps its shape. Numbers of tokens, experts and heads stay.
 * @param given all parameters by name
 */
Json scaled(Json given, int divisor);

}  // namespace nightsweep
