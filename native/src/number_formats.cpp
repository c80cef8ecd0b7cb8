#include "number_formats.hpp"

#include <algorithm>
#include <cmath>

#include "instruction_sets.hpp"

namespace nightsweep {

std::uint8_t to_fp8(float value) { return fp8_code(value); }

float from_fp8(std::uint8_t code) { return fp8_value(code); }

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void quantise(std::span<const std::uint16_t> bf16, std::span<std::uint8_t> codes, std::span<float> scales) {
  for (std::size_t group = 0; group < scales.size(); ++group) {
    const auto in = bf16.subspan(group * kScaleGroup, kScaleGroup);
    float largest = 0;
    for (const std::uint16_t bits : in) largest = std::max(largest, std::abs(from_bf16(bits)));
    const float scale = fp8_scale(largest);
    scales[group] = scale;
    const auto out = codes.subspan(group * kScaleGroup, kScaleGroup);
    for (std::size_t i = 0; i < kScaleGroup; ++i) out[i] = fp8_code(from_bf16(in[i]) / scale);
  }
}

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void dequantise(std::span<const std::uint8_t> codes, std::span<const float> scales, std::span<float> values) {
  for (std::size_t group = 0; group < scales.size(); ++group) {
    const auto in = codes.subspan(group * kScaleGroup, kScaleGroup);
    const auto out = values.subspan(group * kScaleGroup, kScaleGroup);
    const float scale = scales[group];
    for (std::size_t i = 0; i < kScaleGroup; ++i) out[i] = fp8_value(in[i]) * scale;
  }
}

}  // namespace nightsweep
