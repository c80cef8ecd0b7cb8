#pragma once
#include <cstdint>
#include <span>

namespace nightsweep {

// The loops over elements in which expert parallelism spends its time. Each is compiled for several
// instruction sets, and the processor's best is chosen when the program starts; all give the same bits.

/** Converts bfloat16 bits to floats. */
void widen(std::span<const std::uint16_t> bf16, std::span<float> values);
/** The nearest bfloat16 of each value, ties to even. */
void narrow(std::span<const float> values, std::span<std::uint16_t> bf16);
/** sum += factor * values, each element rounded after the product and after the sum. */
void add_scaled(std::span<float> sum, std::span<const float> values, float factor);
/** The nearest bfloat16 of factor times each element. */
void scale_rows(std::span<const std::uint16_t> bf16, float factor, std::span<std::uint16_t> results);

}  // namespace nightsweep
