#include "number_formats.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace nightsweep {
namespace {

constexpr std::uint8_t kFp8Largest = 0x7E;
constexpr std::uint8_t kFp8Nan = 0x7F;

std::array<float, 256> fp8_values() {
  std::array<float, 256> values{};
  for (unsigned code = 0; code < 256; ++code) {
    const int exponent = static_cast<int>(code >> 3 & 0xF);
    const auto mantissa = static_cast<float>(code & 7);
    float magnitude = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
    if ((code & 0x7F) == kFp8Nan) magnitude = std::numeric_limits<float>::quiet_NaN();
    values[code] = (code & 0x80) != 0 ? -magnitude : magnitude;
  }
  return values;
}

}  // namespace

std::uint8_t to_fp8(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint8_t>(bits >> 24 & 0x80);
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  if (std::isnan(value)) return sign | kFp8Nan;
  // Below the smallest normal, 2^-6, codes count steps of 2^-9; adding 2^14 makes the unit of the sum 2^-9.
  if (magnitude < std::bit_cast<std::uint32_t>(0x1p-6F)) {
    const float shifted = std::bit_cast<float>(magnitude) + 0x1p14F;
    return static_cast<std::uint8_t>(sign | (std::bit_cast<std::uint32_t>(shifted) & 0xF));
  }
  const std::uint32_t rounded = (magnitude + 0x7FFFF + (magnitude >> 20 & 1)) >> 20;
  const std::uint32_t code = rounded - ((127U - 7U) << 3);
  return static_cast<std::uint8_t>(sign | std::min<std::uint32_t>(code, kFp8Largest));
}

float from_fp8(std::uint8_t code) {
  static const std::array<float, 256> values = fp8_values();
  return values[code];
}

void quantise(std::span<const std::uint16_t> bf16, std::span<std::uint8_t> codes, std::span<float> scales) {
  for (std::size_t group = 0; group < scales.size(); ++group) {
    const auto in = bf16.subspan(group * kScaleGroup, kScaleGroup);
    float largest = 0;
    for (const std::uint16_t bits : in) largest = std::max(largest, std::abs(from_bf16(bits)));
    // A group of zeros needs a scale that can be divided by.
    const float scale = largest > 0 ? std::max(largest / kFp8Max, std::numeric_limits<float>::min()) : 1;
    scales[group] = scale;
    const auto out = codes.subspan(group * kScaleGroup, kScaleGroup);
    for (std::size_t i = 0; i < kScaleGroup; ++i) out[i] = to_fp8(from_bf16(in[i]) / scale);
  }
}

void dequantise(std::span<const std::uint8_t> codes, std::span<const float> scales, std::span<float> values) {
  for (std::size_t i = 0; i < codes.size(); ++i) values[i] = from_fp8(codes[i]) * scales[i / kScaleGroup];
}

}  // namespace nightsweep
