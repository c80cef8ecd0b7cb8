#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "dtype.hpp"
#include "reduction.hpp"

namespace nightsweep {

/** Digits of the significand: integers below 2^digits are exact. */
template <typename T>
constexpr int exact_bits() {
  if constexpr (std::is_same_v<T, f16>) {
    return 11;
  } else if constexpr (std::is_same_v<T, bf16>) {
    return 8;
  } else {
    return std::numeric_limits<T>::digits < 24 ? std::numeric_limits<T>::digits : 24;
  }
}

/** Well-mixed bits from a rank, a peer and a position: neighbours have nothing in common. */
constexpr std::uint64_t mixed(int rank, int peer, std::size_t i) {
  std::uint64_t x =
      i + (static_cast<std::uint64_t>(rank + 1) << 40) + (static_cast<std::uint64_t>(peer + 1) << 52);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/** The sender of placeholder data, where nothing has arrived yet. */
inline constexpr int kNobody = -1;

/** Data for messages that are compared byte by byte; never 0. */
constexpr std::uint8_t moved_byte(int rank, std::size_t i) {
  return static_cast<std::uint8_t>(mixed(rank, 0, i) % 255 + 1);
}

/**
 * Data that is only moved: a positive integer that the type holds exactly; differs by rank, peer and
 * position.
 */
template <typename T>
T moved_element(int rank, int peer, std::size_t i) {
  return element_of<T>(static_cast<double>(mixed(rank, peer, i) % ((1U << exact_bits<T>()) - 1) + 1));
}

/**
 * Data that is summed: small positive integers, so that sums are exact in f32 and i32, and, for few ranks, in
 * half types.
 */
template <typename T>
double summed_value(int rank, std::size_t i) {
  constexpr std::uint64_t kValues = exact_bits<T>() <= 8 ? 7 : 61;
  return static_cast<double>(mixed(rank, 0, i) % kValues + 1);
}

/**
 * Data for sums that are rounded: numbers in (0, 1] with all digits of the type, in four sizes, so that a sum
 * loses several digits.
 */
template <typename T>
double rounded_value(int rank, std::size_t i) {
  const std::uint64_t bits = mixed(rank, 0, i);
  return std::ldexp(static_cast<double>(bits % (std::uint64_t{1} << exact_bits<T>()) + 1),
                    -exact_bits<T>() - static_cast<int>(bits >> 40 & 3));
}

/** Whether the type rounds: only then do rounded values test more than small integers. */
template <typename T>
inline constexpr bool kRounds = !std::is_integral_v<T>;

/** The two sets of data with which sums are checked. */
enum class Summands { exact, rounded };

template <typename T>
double summand(Summands kind, int rank, std::size_t i) {
  return kind == Summands::exact ? summed_value<T>(rank, i) : rounded_value<T>(rank, i);
}

/**
 * Whether a sum over ranks is right: exactly, or within half a unit in the last place for each of ranks - 1
 * additions, in any order.
 */
template <typename T>
bool sum_right(Summands kind, int ranks, std::size_t i, T found) {
  double sum = 0;
  for (int r = 0; r < ranks; ++r) sum += summand<T>(kind, r, i);
  const bool exact = kind == Summands::exact && sum <= std::ldexp(1.0, exact_bits<T>());
  const double additions = 1.001 * (ranks - 1);
  // The negated comparison counts a NaN as wrong.
  return std::abs(static_cast<double>(found) - sum) <=
         (exact ? 0 : additions * std::ldexp(sum, -exact_bits<T>()));
}

/**
 * Data for products: factors of 1 to 3 on up to nine ranks, taken in turn, and 1 on the others, so that a
 * product is exact in i32 and stays within f16; or numbers with all the type's digits, alternately below and
 * above 1.
 */
template <typename T>
double factor(Summands kind, int ranks, int rank, std::size_t i) {
  const std::uint64_t bits = mixed(rank, 0, i);
  if (kind == Summands::exact) {
    constexpr std::uint64_t kFactors = 9;
    const auto turn = (static_cast<std::uint64_t>(rank) + mixed(0, 1, i)) % static_cast<std::uint64_t>(ranks);
    return turn < kFactors ? static_cast<double>(bits % 3 + 1) : 1;
  }
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (exact_bits<T>() - 1);
  return std::ldexp(static_cast<double>(bits % kHalf + kHalf), rank % 2 - exact_bits<T>());
}

/** A rank's operand in a reduction. */
template <typename T>
double operand(Reduction how, Summands kind, int ranks, int rank, std::size_t i) {
  switch (how) {
    case Reduction::sum:
    case Reduction::avg:
      return summand<T>(kind, rank, i);
    case Reduction::prod:
      return factor<T>(kind, ranks, rank, i);
    case Reduction::max:
    case Reduction::min:
      return static_cast<double>(moved_element<T>(rank, 0, i));
  }
  return 0;
}

/**
 * Whether a reduction over ranks is right: maximum and minimum exactly, sums as in sum_right, products and
 * averages within half a unit in the last place for each step.
 */
template <typename T>
bool reduced_right(Reduction how, Summands kind, int ranks, std::size_t i, T found) {
  if (how == Reduction::sum) return sum_right<T>(kind, ranks, i, found);
  double expected = operand<T>(how, kind, ranks, 0, i);
  for (int r = 1; r < ranks; ++r) {
    const double next = operand<T>(how, kind, ranks, r, i);
    expected = how == Reduction::max    ? std::max(expected, next)
               : how == Reduction::min  ? std::min(expected, next)
               : how == Reduction::prod ? expected * next
                                        : expected + next;
  }
  if (how == Reduction::avg) expected /= ranks;
  const bool exact =
      how == Reduction::max || how == Reduction::min ||
      (how == Reduction::prod && kind == Summands::exact && expected <= std::ldexp(1.0, exact_bits<T>()));
  // An average is also scaled, before or after its additions.
  const double steps = how == Reduction::avg ? 2.0 * ranks : ranks - 1;
  return std::abs(static_cast<double>(found) - expected) <=
         (exact ? 0 : 1.001 * steps * std::ldexp(expected, -exact_bits<T>()));
}

}  // namespace nightsweep
