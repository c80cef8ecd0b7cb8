#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "ep_round.hpp"

namespace nightsweep {

/**
 * Errors that one rank found, by kind: numbers of copies, or of elements for encoding, combined and input.
 */
struct EpWrong {
  long counts = 0, metadata = 0, multiplicity = 0, weights = 0, payload = 0, encoding = 0, combined = 0,
       input = 0, routing = 0;

  [[nodiscard]] long total() const {
    return counts + metadata + multiplicity + weights + payload + encoding + combined + input + routing;
  }
  EpWrong& operator+=(const EpWrong& other);
};

/** The error of one rounding: half a unit in the last place, relative to the number. */
inline constexpr double kBf16Rounding = 1.0 / 256;
inline constexpr double kFp8Rounding = 1.0 / 16;

/**
 * How often a combined element is rounded to bf16: each copy's result and their sum; under the
 * runtime-visible contract also the expert's row and its result.
 */
int bf16_roundings(EpContract contract);

/**
 * The error of fp8 with a scale for each group: half a step of the number, or of the smallest normal, which
 * is 2^-6 of a scale of 1/448 of the group's largest magnitude.
 */
double fp8_error(double magnitude, double largest_of_group);

/**
 * Computes what each rank must have, directly from the routing's definition: it draws every source's choices
 * and tokens again and shares no code with the layout and movement of copies.
 */
class EpOracle {
 public:
  /** @param activation of the dispatched tokens */
  EpOracle(const EpOptions& options, const std::vector<std::size_t>& tokens, const Placement& placement,
           int rank, Activation activation);

  /** Checks the received copies bit by bit: their number by source, tokens, slots, weights and elements. */
  [[nodiscard]] EpWrong received(const EpRound& done) const;
  /**
   * Checks that combined elements agree with double precision within the roundings; that fp8 tokens agree
   * with the originals; that the input is unchanged; and that the tokens' choices follow the routing.
   */
  [[nodiscard]] EpWrong combined(const EpRound& done);
  /** The largest error of the combined elements, as a share of the tolerance. */
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
  /** Whether a token has distinct experts that fit its routing, and weights that add up to 1. */
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
