#pragma once
#include <cstdint>

namespace nightsweep {

/** A well-mixed function of its argument (the finaliser of SplitMix64). */
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return mixed(mixed(a) ^ b); }

/** Random numbers by key, the same on every machine: any rank can repeat another's draws. */
class KeyedRandom {
 public:
  KeyedRandom(std::uint64_t step, std::uint64_t rank, std::uint64_t item, std::uint64_t purpose)
      : key_(mixed(mixed(mixed(step, rank), item), purpose)) {}

  std::uint64_t next() { return mixed(key_, counter_++); }
  /** In 0 <= x < bound. */
  int below(int bound) { return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32); }
  /** In 0 < x < 1. */
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace nightsweep
