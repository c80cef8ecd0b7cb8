#pragma once
#include <optional>
#include <string>
#include <vector>

#include "result.hpp"

namespace nightsweep {

/**
 * Results as people who know NCCL's tests read them: who ran where, then a line a point with size, time,
 * bandwidths and wrong elements, out of place and in place beside each other. Times are medians over samples
 * of the slowest rank's.
 */
class Table {
 public:
  /** What stands above all. Collective: every rank tells where it is; the text is rank 0's to print. */
  static std::string header(Transport& transport, const Sampling& sampling, bool hash_hosts);

  /**
   * Takes a result, in the order of cases.
   *
   * @return lines that are complete: one before the first of a kernel tells the columns; an out-of-place
   * point waits for the one in place that follows it
   */
  std::string add(const CaseResult& result, bool in_place_follows);
  /** Wrong elements over all, and how many points have none because they were not measured. */
  [[nodiscard]] std::string footer() const;

 private:
  std::string kernel_;
  std::optional<CaseResult> waiting_;
  long wrong_ = 0;
  int measured_ = 0, unmeasured_ = 0;
};

/** Whether the second differs from the first only in that it is in place. */
bool same_but_in_place(const Json& out_of_place, const Json& in_place);

}  // namespace nightsweep
