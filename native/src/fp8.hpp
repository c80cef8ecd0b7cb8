#pragma once
#include <bit>
#include <cstdint>
#include <limits>

#include "dtype.hpp"

namespace nightsweep {

inline constexpr float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/** The largest finite value of fp8 e4m3 (the OCP format, which has no infinities). */
inline constexpr float kFp8Max = 448;

/** Elements that share one f32 scale in a quantised row. */
inline constexpr std::size_t kScaleGroup = 128;

inline constexpr std::uint32_t kFp8Largest = 0x7E;
inline constexpr std::uint32_t kFp8Nan = 0x7F;
inline constexpr std::uint32_t kInfinityBits = 0x7F800000;

/**
 * The nearest fp8 e4m3, ties to even; values beyond 448 saturate, a NaN stays one. Without branches, which
 * would prevent vectorisation.
 */
[[gnu::always_inline]] inline constexpr std::uint8_t fp8_code(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  // Below the smallest normal, 2^-6, codes count steps of 2^-9; adding 2^14 makes the unit of the sum 2^-9.
  const float shifted = std::bit_cast<float>(magnitude) + 0x1p14F;
  const std::uint32_t small = std::bit_cast<std::uint32_t>(shifted) & 0xF;
  const std::uint32_t steps = (magnitude + 0x7FFFF + (magnitude >> 20 & 1)) >> 20;
  const std::uint32_t above = steps - ((127U - 7U) << 3);
  const std::uint32_t normal = above < kFp8Largest ? above : kFp8Largest;
  std::uint32_t code = magnitude < std::bit_cast<std::uint32_t>(0x1p-6F) ? small : normal;
  code = magnitude > kInfinityBits ? kFp8Nan : code;
  return static_cast<std::uint8_t>((bits >> 24 & 0x80) | code);
}

[[gnu::always_inline]] inline constexpr float fp8_value(std::uint8_t code) {
  const std::uint32_t magnitude = code & 0x7FU;
  const float small = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-9F;
  const auto normal = (magnitude << 20) + (120U << 23);
  const std::uint32_t bits = magnitude == kFp8Nan ? kInfinityBits | 0x400000U
                             : magnitude < 8      ? std::bit_cast<std::uint32_t>(small)
                                                  : normal;
  return std::bit_cast<float>(bits | static_cast<std::uint32_t>(code & 0x80U) << 24);
}

/**
 * The scale of a group from its largest magnitude, so that nothing saturates. The scale of a group of zeros
 * must not be 0.
 */
[[gnu::always_inline]] inline constexpr float fp8_scale(float largest) {
  const float scale = largest / kFp8Max;
  constexpr float kLeast = std::numeric_limits<float>::min();
  return largest > 0 ? (scale > kLeast ? scale : kLeast) : 1;
}

}  // namespace nightsweep
