#pragma once
#include <atomic>
#include <filesystem>
#include <functional>

#include "result.hpp"

namespace nightsweep {

/** Options of a run. */
struct RunOptions {
  Sampling sampling = {};
  Fault fault = Fault::none;
  /** Time limit for a case's trials; 0 for no limit. */
  double case_seconds = 0;
  /** How long beyond twice that limit to wait for a hanging case. */
  double grace_seconds = 60;
  /** Print no line for each trial. */
  bool quiet = false;
  /** Seed of what checks draw at random; the same on every rank. */
  std::uint64_t check_seed = 0;
};

/**
 * Runs a case to a single disposition, the same on every rank. A failure on which the ranks can agree (making
 * it, wrong elements, other resources than requested, above the roofline, throttled) becomes a record. Any
 * other failure throws, and then all ranks must be ended, since the others wait for this one.
 * @param found wrong elements so far, of all ranks: for the record of a case that does not end
 */
CaseResult run_case(Transport& transport, const Json& identity, const RunOptions& options,
                    const std::optional<Limits>& limits, std::atomic<long>& found);

}  // namespace nightsweep
