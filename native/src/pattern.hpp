#pragma once
#include <cmath>
#include <cstddef>
#include <limits>

#include "dtype.hpp"

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

/** Well mixed bits of a rank, a peer and a position: neighbours have nothing in common. */
constexpr std::uint64_t mixed(int rank, int peer, std::size_t i) {
  std::uint64_t x =
      i + (static_cast<std::uint64_t>(rank + 1) << 40) + (static_cast<std::uint64_t>(peer + 1) << 52);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/** For data that is only moved: a positive integer that the type holds exactly; differs by rank, peer and
 * position. */
template <typename T>
T moved_element(int rank, int peer, std::size_t i) {
  return element_of<T>(static_cast<double>(mixed(rank, peer, i) % ((1U << exact_bits<T>()) - 1) + 1));
}

/** For data that is summed: small positive integers, so that sums are exact in f32 and i32, and in half types
 * for few ranks. */
template <typename T>
double summed_value(int rank, std::size_t i) {
  constexpr std::uint64_t kValues = exact_bits<T>() <= 8 ? 7 : 61;
  return static_cast<double>(mixed(rank, 0, i) % kValues + 1);
}

/** For sums that are rounded: numbers in (0, 1] with all the digits that the type has, of four sizes, so that
 * a sum loses several of them. */
template <typename T>
double rounded_value(int rank, std::size_t i) {
  const std::uint64_t bits = mixed(rank, 0, i);
  return std::ldexp(static_cast<double>(bits % (std::uint64_t{1} << exact_bits<T>()) + 1),
                    -exact_bits<T>() - static_cast<int>(bits >> 40 & 3));
}

/** Whether the type rounds: only then does a sum of rounded values say more than one of small integers. */
template <typename T>
inline constexpr bool kRounds = !std::is_integral_v<T>;

/** The two sets of data that sums are checked with. */
enum class Summands { exact, rounded };

template <typename T>
double summand(Summands kind, int rank, std::size_t i) {
  return kind == Summands::exact ? summed_value<T>(rank, i) : rounded_value<T>(rank, i);
}

/**
 * Whether a sum over ranks is what it must be: exactly, or off by no more than half a unit in the last place
 * for each of ranks - 1 additions, in whatever order they were done.
 */
template <typename T>
bool sum_right(Summands kind, int ranks, std::size_t i, T found) {
  double sum = 0;
  for (int r = 0; r < ranks; ++r) sum += summand<T>(kind, r, i);
  const bool exact = kind == Summands::exact && sum <= std::ldexp(1.0, exact_bits<T>());
  const double additions = 1.001 * (ranks - 1);
  // A NaN compares as wrong.
  return std::abs(static_cast<double>(found) - sum) <=
         (exact ? 0 : additions * std::ldexp(sum, -exact_bits<T>()));
}

}  // namespace nightsweep
