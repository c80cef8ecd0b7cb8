#include "number_formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "instruction_sets.hpp"

namespace nightsweep {
namespace {

constexpr std::uint32_t kFp8Largest = 0x7E;
constexpr std::uint32_t kFp8Nan = 0x7F;
constexpr std::uint32_t kInfinity = 0x7F800000;

/** Without branches, which would hinder vector code. */
[[gnu::always_inline]] inline std::uint8_t rounded(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  // Below the smallest normal, 2^-6, codes count steps of 2^-9; adding 2^14 makes the unit of the sum 2^-9.
  const float shifted = std::bit_cast<float>(magnitude) + 0x1p14F;
  const std::uint32_t small = std::bit_cast<std::uint32_t>(shifted) & 0xF;
  const std::uint32_t steps = (magnitude + 0x7FFFF + (magnitude >> 20 & 1)) >> 20;
  const std::uint32_t normal = std::min(steps - ((127U - 7U) << 3), kFp8Largest);
  std::uint32_t code = magnitude < std::bit_cast<std::uint32_t>(0x1p-6F) ? small : normal;
  code = magnitude > kInfinity ? kFp8Nan : code;
  return static_cast<std::uint8_t>((bits >> 24 & 0x80) | code);
}

[[gnu::always_inline]] inline float value_of(std::uint8_t code) {
  const std::uint32_t magnitude = code & 0x7FU;
  const float small = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-9F;
  const auto normal = (magnitude << 20) + (120U << 23);
  const std::uint32_t bits = magnitude == kFp8Nan ? kInfinity | 0x400000U
                             : magnitude < 8      ? std::bit_cast<std::uint32_t>(small)
                                                  : normal;
  return std::bit_cast<float>(bits | static_cast<std::uint32_t>(code & 0x80U) << 24);
}

}  // namespace

std::uint8_t to_fp8(float value) { return rounded(value); }

float from_fp8(std::uint8_t code) { return value_of(code); }

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void quantise(std::span<const std::uint16_t> bf16, std::span<std::uint8_t> codes, std::span<float> scales) {
  for (std::size_t group = 0; group < scales.size(); ++group) {
    const auto in = bf16.subspan(group * kScaleGroup, kScaleGroup);
    float largest = 0;
    for (const std::uint16_t bits : in) largest = std::max(largest, std::abs(from_bf16(bits)));
    // A group of zeros needs a scale that can be divided by.
    const float scale = largest > 0 ? std::max(largest / kFp8Max, std::numeric_limits<float>::min()) : 1;
    scales[group] = scale;
    const auto out = codes.subspan(group * kScaleGroup, kScaleGroup);
    for (std::size_t i = 0; i < kScaleGroup; ++i) out[i] = rounded(from_bf16(in[i]) / scale);
  }
}

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void dequantise(std::span<const std::uint8_t> codes, std::span<const float> scales, std::span<float> values) {
  for (std::size_t group = 0; group < scales.size(); ++group) {
    const auto in = codes.subspan(group * kScaleGroup, kScaleGroup);
    const auto out = values.subspan(group * kScaleGroup, kScaleGroup);
    const float scale = scales[group];
    for (std::size_t i = 0; i < kScaleGroup; ++i) out[i] = value_of(in[i]) * scale;
  }
}

}  // namespace nightsweep
