#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "dtype.hpp"
#include "fp8.hpp"

namespace nightsweep {

/** The bits of the nearest bfloat16, ties to even; too large values become infinite, a NaN stays one. */
inline std::uint16_t to_bf16(float value) { return bf16(value).bits; }
/** Rounds to the nearest fp8 e4m3, ties to even; values beyond 448 saturate, a NaN stays one. */
std::uint8_t to_fp8(float value);
float from_fp8(std::uint8_t code);

/**
 * Quantises a row: for every 128 elements one scale, the group's largest magnitude over 448, so that nothing
 * saturates. The row's length is a multiple of 128; there are as many codes, and a 128th as many scales.
 */
void quantise(std::span<const std::uint16_t> bf16, std::span<std::uint8_t> codes, std::span<float> scales);

/** The inverse, to floats. */
void dequantise(std::span<const std::uint8_t> codes, std::span<const float> scales, std::span<float> values);

}  // namespace nightsweep
