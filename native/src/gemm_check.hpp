#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "ep_random.hpp"

namespace nightsweep {

/** C = A B, row by row: C is m x n, A m x k (or stored k x m where transposed), B k x n (or stored n x k). */
struct GemmShape {
  std::size_t m, n, k;
  bool a_transposed, b_transposed;
};

/**
 * Limit of integers such that sums of k of their products are exact with this many digits, in any order: a
 * product of matrices with entries in [-range, range] has one right answer, to the last bit.
 */
inline int exact_range(int digits, std::size_t k) {
  const double room = std::ldexp(1.0, digits) / static_cast<double>(k);
  return static_cast<int>(std::min(16384.0, std::max(1.0, std::floor(std::sqrt(room)))));
}

/**
 * Fills one factor with integers of this many digits, at most 52, and the other factor so that each element
 * of the product is one of these integers or its negative. A multiplication with fewer digits than the type
 * has, as in TF32 or with two terms of bf16, gives other integers.
 */
template <typename T>
void fill_selection(const GemmShape& s, bool first_is_whole, int digits, std::uint64_t seed,
                    std::vector<T>& a, std::vector<T>& b) {
  KeyedRandom random(seed, 0, 0, first_is_whole ? 2 : 3);
  for (T& x : first_is_whole ? a : b) x = static_cast<T>(random.next() >> (64 - std::min(digits, 52)));
  std::vector<T>& selecting = first_is_whole ? b : a;
  std::ranges::fill(selecting, T{0});
  // A line is a column of B or a row of A; its k elements are contiguous or strided.
  const bool together = first_is_whole ? s.b_transposed : !s.a_transposed;
  const std::size_t lines = first_is_whole ? s.n : s.m;
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t p = random.next() % s.k;
    selecting[together ? line * s.k + p : p * lines + line] = random.next() % 2 == 0 ? T{1} : T{-1};
  }
}

/** Checks the product of one pair of matrices against its definition. */
template <typename T>
class GemmCheck {
 public:
  /**
   * @param sum_digits digits of the sums, if the product is not computed in T
   * @param digits of the product's elements, if their type is not T
   */
  GemmCheck(const GemmShape& shape, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c,
            int sum_digits = std::numeric_limits<T>::digits, int digits = std::numeric_limits<T>::digits)
      : s_(shape), a_(a), b_(b), c_(c), sum_digits_(sum_digits), digits_(digits) {}

  /**
   * For matrices of exact integers: compares C x with A (B x) for a random x in arithmetic modulo 2^64
   * (Freivalds, 1977). Every element takes part, and a wrong row passes with a probability below 2^-39.
   * @return wrong elements; beyond the first 64 wrong rows, one for each row
   */
  [[nodiscard]] long wrong_of_exact(std::uint64_t seed) const {
    std::vector<std::uint64_t> x(s_.n), bx(s_.k);
    for (std::size_t j = 0; j < s_.n; ++j) x[j] = mixed(seed, j);
    for (std::size_t p = 0; p < s_.k; ++p) {
      for (std::size_t j = 0; j < s_.n; ++j) bx[p] += bits(b_at(p, j)) * x[j];
    }
    long wrong = 0;
    int counted = 0;
    for (std::size_t i = 0; i < s_.m; ++i) {
      std::uint64_t difference = 0;
      bool whole = true;
      for (std::size_t p = 0; p < s_.k; ++p) difference += bits(a_at(i, p)) * bx[p];
      for (std::size_t j = 0; j < s_.n; ++j) {
        const T found = c_[i * s_.n + j];
        whole = whole && std::abs(found) < 9e15 && found == std::floor(found);
        if (whole) difference -= bits(found) * x[j];
      }
      if (whole && difference == 0) continue;
      wrong += counted++ < kCountedRows ? std::max(1L, wrong_in_row(i)) : 1;
    }
    return wrong;
  }

  /**
   * The number of elements in a rounding check: all if that needs up to 2^27 multiplications, else a sample
   * with at least one of each row and column.
   */
  [[nodiscard]] std::size_t sampled() const {
    return std::min(s_.m * s_.n, std::max({s_.m, s_.n, kMultiplications / s_.k}));
  }

  /**
   * For any matrices: compares elements with sums in doubles. Rounding errors of k additions are random: they
   * exceed 8 sqrt(k) u sum|a b| with a probability below 1e-13 (Higham and Mary, 2019). If the result is
   * narrower than its sums, it is rounded once more.
   */
  [[nodiscard]] long wrong_by_rounding(std::uint64_t seed) const {
    const double unit = 8 * std::sqrt(static_cast<double>(s_.k)) * std::ldexp(1.0, -sum_digits_);
    const double narrowing = digits_ < sum_digits_ ? 1.01 * std::ldexp(1.0, -digits_) : 0;
    std::vector<double> columns(s_.n * s_.k), row(s_.k);
    for (std::size_t j = 0; j < s_.n; ++j) {
      for (std::size_t p = 0; p < s_.k; ++p) columns[j * s_.k + p] = static_cast<double>(b_at(p, j));
    }
    const std::size_t count = sampled();
    const bool all = count == s_.m * s_.n;
    const std::size_t longer = std::max(s_.m, s_.n);
    long wrong = 0;
    for (std::size_t e = 0; e < count; ++e) {
      const std::size_t i = all ? e / s_.n : e < longer ? e % s_.m : mixed(seed, 2 * e) % s_.m;
      const std::size_t j = all ? e % s_.n : e < longer ? (e + seed) % s_.n : mixed(seed, 2 * e + 1) % s_.n;
      double expected = 0;
      double size = 0;
      for (std::size_t p = 0; p < s_.k; ++p) {
        const double term = static_cast<double>(a_at(i, p)) * columns[j * s_.k + p];
        expected += term;
        size += std::abs(term);
      }
      // The negated comparison counts a NaN as wrong.
      wrong += !(std::abs(static_cast<double>(c_[i * s_.n + j]) - expected) <=
                 unit * size + narrowing * std::abs(expected));
    }
    return wrong;
  }

 private:
  static constexpr std::size_t kMultiplications = std::size_t{1} << 27;
  static constexpr int kCountedRows = 64;

  static std::uint64_t bits(T integer) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(integer));
  }
  [[nodiscard]] T a_at(std::size_t i, std::size_t p) const {
    return a_[s_.a_transposed ? p * s_.m + i : i * s_.k + p];
  }
  [[nodiscard]] T b_at(std::size_t p, std::size_t j) const {
    return b_[s_.b_transposed ? j * s_.k + p : p * s_.n + j];
  }
  [[nodiscard]] long wrong_in_row(std::size_t i) const {
    long wrong = 0;
    for (std::size_t j = 0; j < s_.n; ++j) {
      std::int64_t expected = 0;
      for (std::size_t p = 0; p < s_.k; ++p) {
        expected += static_cast<std::int64_t>(a_at(i, p)) * static_cast<std::int64_t>(b_at(p, j));
      }
      wrong += !(static_cast<double>(c_[i * s_.n + j]) == static_cast<double>(expected));
    }
    return wrong;
  }

  GemmShape s_;
  const std::vector<T>& a_;
  const std::vector<T>& b_;
  const std::vector<T>& c_;
  int sum_digits_, digits_;
};

}  // namespace nightsweep
