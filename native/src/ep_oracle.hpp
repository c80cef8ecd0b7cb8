#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "ep_round.hpp"

namespace nightsweep {

/** What one rank found wrong, by kind; in copies, but for elements of the encoding, of combined and of the
 * input. */
struct EpWrong {
  long counts = 0, metadata = 0, multiplicity = 0, weights = 0, payload = 0, encoding = 0, combined = 0,
       input = 0, routing = 0;

  [[nodiscard]] long total() const {
    return counts + metadata + multiplicity + weights + payload + encoding + combined + input + routing;
  }
  EpWrong& operator+=(const EpWrong& other);
};

/** What one rounding may change: half a unit in the last place, as a share of the number. */
inline constexpr double kBf16Rounding = 1.0 / 256;
inline constexpr double kFp8Rounding = 1.0 / 16;

/**
 * How often a combined element is rounded to bf16 on its way: each copy's result and the sum of them; under
 * the runtime-visible contract also the expert's row and its result.
 */
int bf16_roundings(EpContract contract);

/**
 * What fp8 with a scale a group may change: half a step of the number, or of the smallest normal, which is
 * 2^-6 of a scale of 1/448 of the group's largest magnitude.
 */
double fp8_error(double magnitude, double largest_of_group);

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
  [[nodiscard]] EpWrong received(const EpRound& done) const;
  /**
   * Combined elements against double precision, and what fp8 made of the tokens against the tokens, by as
   * much as roundings explain; that the input is what it was; and that the tokens' choices are as the routing
   * says.
   */
  [[nodiscard]] EpWrong combined(const EpRound& done);
  /** Of the combined elements: the largest error as a share of what roundings explain. */
  [[nodiscard]] double max_error_share() const { return max_error_share_; }

 private:
  struct Copy {
    std::int32_t token;
    std::vector<std::int32_t> slots;
    std::vector<float> weights;
  };

  [[nodiscard]] std::vector<Copy> copies_from(int source) const;
  [[nodiscard]] EpWrong of_copy(const EpRound& done, std::size_t source, std::size_t i,
                                const Copy& copy) const;
  /** Whether a token has distinct experts, as its routing places them, and weights that add up to 1. */
  [[nodiscard]] bool routed_rightly(std::span<const std::int32_t> experts,
                                    std::span<const float> weights) const;
  [[nodiscard]] bool element_wrong(double found, double expected, double tolerance);

  const EpOptions& options_;
  const std::vector<std::size_t>& tokens_;
  const Placement& placement_;
  int rank_;
  Activation activation_;
  double max_error_share_ = 0;
};

}  // namespace nightsweep
