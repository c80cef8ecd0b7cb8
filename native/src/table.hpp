#pragma once
#include <optional>
#include <string>
#include <vector>

#include "result.hpp"

namespace nightsweep {

/**
 * Results in the form of NCCL's tests: the ranks' hosts, then a line for each point with size, time,
 * bandwidths and wrong elements, out of place and in place side by side. Times are medians over samples of
 * the slowest rank.
 */
class Table {
 public:
  /** The text above the table. Collective: every rank reports its host; rank 0 prints the text. */
  static std::string header(Transport& transport, const Sampling& sampling, bool hash_hosts);

  /**
   * Adds a result, in the order of cases.
   * @return complete lines; before the first one of a kernel, a line with its columns; an out-of-place point
   * waits for the in-place one that follows
   */
  std::string add(const CaseResult& result, bool in_place_follows);
  /** The total of wrong elements, and how many points were not measured. */
  [[nodiscard]] std::string footer() const;

 private:
  std::string kernel_;
  std::optional<CaseResult> waiting_;
  long wrong_ = 0;
  int measured_ = 0, unmeasured_ = 0;
};

/** Whether the second differs from the first only in being in place. */
bool same_but_in_place(const Json& out_of_place, const Json& in_place);

}  // namespace nightsweep
