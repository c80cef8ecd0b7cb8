#include "row_arithmetic.hpp"

#include "instruction_sets.hpp"
#include "number_formats.hpp"

namespace nightsweep {

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void widen(std::span<const std::uint16_t> bf16, std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = from_bf16(bf16[i]);
}

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void narrow(std::span<const float> values, std::span<std::uint16_t> bf16) {
  for (std::size_t i = 0; i < bf16.size(); ++i) bf16[i] = to_bf16(values[i]);
}

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void add_scaled(std::span<float> sum, std::span<const float> values, float factor) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * values[i];
}

NIGHTSWEEP_EVERY_INSTRUCTION_SET
void scale_rows(std::span<const std::uint16_t> bf16, float factor, std::span<std::uint16_t> results) {
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = to_bf16(factor * from_bf16(bf16[i]));
}

}  // namespace nightsweep
