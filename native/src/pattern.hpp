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

/** What the sum over ranks may differ by: nothing where all partial sums are exact, else a rounding for each
 * addition. */
template <typename T>
double summed_tolerance(int ranks, double expected) {
  return expected <= std::ldexp(1.0, exact_bits<T>()) ? 0 : ranks * std::ldexp(expected, -exact_bits<T>());
}

/** The sum over ranks at a position. */
template <typename T>
double expected_sum(int ranks, std::size_t i) {
  double sum = 0;
  for (int r = 0; r < ranks; ++r) sum += summed_value<T>(r, i);
  return sum;
}

}  // namespace nightsweep
