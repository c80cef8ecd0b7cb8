#pragma once
#include "ep_case.hpp"

namespace nightsweep {

/** What one rank found wrong, by kind; in copies, but for elements of combined and of the input. */
struct EpWrong {
  long counts = 0, metadata = 0, multiplicity = 0, weights = 0, payload = 0, combined = 0, input = 0;

  [[nodiscard]] long total() const {
    return counts + metadata + multiplicity + weights + payload + combined + input;
  }
  EpWrong& operator+=(const EpWrong& other);
};

/** Of a combined element: 8 units in the last place of bf16, of its size or of 0.02 where it is smaller. */
inline constexpr double kCombinedTolerance = 8.0 / 256;
inline constexpr double kCombinedFloor = 0.02;

/**
 * Says what each rank must have, from the routing's definition alone: it draws every source's choices and
 * tokens anew and shares nothing with how copies were laid out and moved.
 */
class EpOracle {
 public:
  /** @param activation of the tokens that were dispatched */
  EpOracle(const EpOptions& options, const std::vector<std::size_t>& tokens, const Placement& placement,
           int rank, Activation activation);

  /** Copies, bit by bit: how many of each source, which tokens, for which slots, with which weights and
   * elements. */
  [[nodiscard]] EpWrong received(const EpCase& done) const;
  /** Combined elements against double precision; and that the input is what it was. */
  [[nodiscard]] EpWrong combined(const EpCase& done);
  /** Of the elements looked at: the largest error over the size of the element, or over 0.02. */
  [[nodiscard]] double max_relative_error() const { return max_relative_error_; }

 private:
  struct Copy {
    std::int32_t token;
    std::vector<std::int32_t> slots;
    std::vector<float> weights;
  };

  [[nodiscard]] std::vector<Copy> copies_from(int source) const;
  [[nodiscard]] EpWrong of_copy(const EpCase& done, std::size_t source, std::size_t i,
                                const Copy& copy) const;
  [[nodiscard]] bool element_wrong(double found, double expected, double extra);

  const EpOptions& options_;
  const std::vector<std::size_t>& tokens_;
  const Placement& placement_;
  int rank_;
  Activation activation_;
  double max_relative_error_ = 0;
};

}  // namespace nightsweep
