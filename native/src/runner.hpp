#pragma once
#include <atomic>
#include <filesystem>
#include <functional>

#include "result.hpp"

namespace nightsweep {

/** How cases are run. */
struct RunOptions {
  Sampling sampling = {};
  Fault fault = Fault::none;
  /** What a case's trials may take; 0 for no limit. */
  double case_seconds = 0;
  /** How long beyond twice that limit a case that hangs is waited for. */
  double grace_seconds = 60;
  /** No line a trial. */
  bool quiet = false;
  /** Steers what checks draw at random; the same on every rank. */
  std::uint64_t check_seed = 0;
};

/**
 * Runs a case to its one disposition, the same on every rank. A failure that the ranks can agree on (making
 * it, wrong elements, other resources than requested, above the roofline, throttled) is a record; any other
 * leaves as an exception, for which all ranks must be ended, since the others wait for this one.
 *
 * @param found wrong elements so far, of all ranks: for the record of a case that does not end
 */
CaseResult run_case(Transport& transport, const Json& identity, const RunOptions& options,
                    const std::optional<Limits>& limits, std::atomic<long>& found);

}  // namespace nightsweep
