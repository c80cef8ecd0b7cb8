#pragma once
#include <functional>
#include <string>
#include <vector>

#include "transport.hpp"

namespace nightsweep {

/** How often a point is measured. */
struct Sampling {
  int iterations = 8;
  int trials = 64;
  /** Full round trips before each trial, not timed. */
  int warmup = 32;
  /** Operations between two looks at the clock; part of a point's identity. */
  int ops_per_sample = 1;
};

/** Samples of one point, in order, each in seconds per operation. */
struct Samples {
  std::vector<double> max_over_ranks;
  std::vector<double> min_over_ranks;
};

/**
 * Times an operation: a barrier before every sample, nothing but the operation inside, and per sample the maximum
 * over ranks, which is the critical path. Rank 0 prints a line a trial so that others can follow.
 */
Samples time_operation(Transport& transport, const Sampling& sampling, const std::string& label,
                       const std::function<void()>& operation);

}  // namespace nightsweep
