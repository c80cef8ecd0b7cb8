#include "ep_ffn.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "ep_random.hpp"
#include "row_arithmetic.hpp"

namespace nightsweep {
namespace {

std::vector<float> random_matrix(int expert, std::uint64_t which, std::size_t rows, std::size_t columns) {
  KeyedRandom random(static_cast<std::uint64_t>(expert), which, rows, columns);
  // Variance 1 / rows keeps the products as large as the input.
  const double width = std::sqrt(12.0 / static_cast<double>(rows));
  std::vector<float> matrix(rows * columns);
  for (float& x : matrix) x = static_cast<float>((random.uniform() - 0.5) * width);
  return matrix;
}

template <typename T>
T silu(T x) {
  return x / (1 + std::exp(-x));
}

void multiply_row_major(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                        float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(n),
              static_cast<int>(k), 1, a, static_cast<int>(k), b, static_cast<int>(n), 0, c,
              static_cast<int>(n));
}

std::vector<double> product(std::span<const double> x, const std::vector<float>& matrix,
                            std::size_t columns) {
  std::vector<double> y(columns);
  for (std::size_t row = 0; row < x.size(); ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      y[column] += x[row] * double{matrix[row * columns + column]};
    }
  }
  return y;
}

}  // namespace

ExpertWeights expert_weights(int expert, std::size_t hidden, std::size_t intermediate) {
  return {random_matrix(expert, 0, hidden, intermediate), random_matrix(expert, 1, hidden, intermediate),
          random_matrix(expert, 2, intermediate, hidden)};
}

std::vector<double> expert_reference(const ExpertWeights& weights, std::span<const float> token,
                                     std::size_t intermediate) {
  const std::vector<double> x(token.begin(), token.end());
  std::vector<double> inner = product(x, weights.gate, intermediate);
  const std::vector<double> up = product(x, weights.up, intermediate);
  for (std::size_t i = 0; i < inner.size(); ++i) inner[i] = silu(inner[i]) * up[i];
  return product(inner, weights.down, x.size());
}

ExpertFfn::ExpertFfn(const std::vector<int>& experts, std::size_t hidden, std::size_t intermediate)
    : hidden_(hidden), intermediate_(intermediate) {
  for (const int expert : experts) weights_.push_back(expert_weights(expert, hidden, intermediate));
}

void ExpertFfn::apply(std::span<const std::uint16_t> rows, std::span<const std::size_t> starts,
                      std::span<std::uint16_t> results, const std::function<void()>& between) {
  for (std::size_t slot = 0; slot < starts.size(); ++slot) {
    const std::size_t first = starts[slot] * hidden_;
    const std::size_t last = slot + 1 < starts.size() ? starts[slot + 1] * hidden_ : rows.size();
    if (last > first)
      one(weights_[slot], rows.subspan(first, last - first), results.subspan(first, last - first));
    between();
  }
}

void ExpertFfn::one(const ExpertWeights& weights, std::span<const std::uint16_t> rows,
                    std::span<std::uint16_t> results) {
  const std::size_t count = rows.size() / hidden_;
  in_.resize(rows.size());
  out_.resize(rows.size());
  gated_.resize(count * intermediate_);
  up_.resize(count * intermediate_);
  widen(rows, in_);
  multiply_row_major(count, intermediate_, hidden_, in_.data(), weights.gate.data(), gated_.data());
  multiply_row_major(count, intermediate_, hidden_, in_.data(), weights.up.data(), up_.data());
  for (std::size_t i = 0; i < gated_.size(); ++i) gated_[i] = silu(gated_[i]) * up_[i];
  multiply_row_major(count, hidden_, intermediate_, gated_.data(), weights.down.data(), out_.data());
  narrow(out_, results);
}

double ExpertFfn::flops(std::size_t rows) const {
  return 6.0 * static_cast<double>(rows) * static_cast<double>(hidden_) * static_cast<double>(intermediate_);
}

}  // namespace nightsweep
