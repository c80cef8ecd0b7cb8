#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace nightsweep {

/** A gated feed-forward expert: down(silu(gate x) * (up x)). Matrices are row-major, inputs by outputs. */
struct ExpertWeights {
  std::vector<float> gate, up, down;
};

/** The weights of an expert. They depend only on its number, so every rank can compute any expert's. */
ExpertWeights expert_weights(int expert, std::size_t hidden, std::size_t intermediate);

/** One expert on one token in double precision, with plain loops. */
std::vector<double> expert_reference(const ExpertWeights& weights, std::span<const float> token,
                                     std::size_t intermediate);

/** The experts of a rank, computed with BLAS. */
class ExpertFfn {
 public:
  /** @param experts by slot */
  ExpertFfn(const std::vector<int>& experts, std::size_t hidden, std::size_t intermediate);

  /**
   * Applies each slot's expert to its rows.
   * @param rows bf16, slot by slot
   * @param starts each slot's first row
   * @param between called after each expert, so that messages can progress
   */
  void apply(std::span<const std::uint16_t> rows, std::span<const std::size_t> starts,
             std::span<std::uint16_t> results, const std::function<void()>& between);

  /** Floating-point operations for this many rows. */
  [[nodiscard]] double flops(std::size_t rows) const;

 private:
  void one(const ExpertWeights& weights, std::span<const std::uint16_t> rows,
           std::span<std::uint16_t> results);

  std::size_t hidden_, intermediate_;
  std::vector<ExpertWeights> weights_;
  std::vector<float> in_, gated_, up_, out_;
};

}  // namespace nightsweep
