#include "ep_tokens.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "ep_random.hpp"
#include "number_formats.hpp"
#include "row_arithmetic.hpp"

namespace nightsweep {
namespace {

constexpr std::uint64_t kElement = 3;

/** The sum of four uniform numbers, with mean 0 and variance 1; never 0. */
float bell(std::uint64_t bits) {
  constexpr float kDeviation = 37837.2F;  // 65536 * sqrt(4 / 12)
  std::int32_t sum = -2 * 65535;
  for (int i = 0; i < 4; ++i) sum += static_cast<std::int32_t>(bits >> (16 * i) & 0xFFFF);
  return (static_cast<float>(sum) + 0.5F) / kDeviation;
}

float value(Activation activation, std::uint64_t bits, std::size_t column) {
  switch (activation) {
    case Activation::normal:
      return bell(bits);
    case Activation::zeros:
      return 0;
    case Activation::small_amplitude:
      return 0x1p-12F * bell(bits);
    case Activation::wide_dynamic_range:
      return std::ldexp(bell(bits), static_cast<int>(mixed(bits) % 25) - 12);
    case Activation::fp8_saturation:
      return column % kScaleGroup == mixed(bits >> 32) % kScaleGroup || column % kScaleGroup == 0
                 ? 30000 * bell(bits)
                 : bell(bits);
  }
  return 0;
}

/** Splits a wire row of fp8 into codes and scales. */
template <typename Row>
auto split(Row wire) {
  const std::size_t hidden = wire.size() / (kScaleGroup + sizeof(float)) * kScaleGroup;
  return std::pair(wire.first(hidden), wire.subspan(hidden));
}

}  // namespace

Activation parse_activation(const std::string& text) {
  if (text == "normal") return Activation::normal;
  if (text == "zeros") return Activation::zeros;
  if (text == "small-amplitude") return Activation::small_amplitude;
  if (text == "wide-dynamic-range") return Activation::wide_dynamic_range;
  if (text == "fp8-saturation") return Activation::fp8_saturation;
  throw std::invalid_argument(
      "no activation '" + text +
      "'; expected normal, zeros, small-amplitude, wide-dynamic-range or fp8-saturation");
}

std::string to_string(Activation activation) {
  switch (activation) {
    case Activation::normal:
      return "normal";
    case Activation::zeros:
      return "zeros";
    case Activation::small_amplitude:
      return "small-amplitude";
    case Activation::wide_dynamic_range:
      return "wide-dynamic-range";
    case Activation::fp8_saturation:
      return "fp8-saturation";
  }
  return "?";
}

WireDtype parse_wire_dtype(const std::string& text) {
  if (text == "bf16") return WireDtype::bf16;
  if (text == "fp8") return WireDtype::fp8;
  throw std::invalid_argument("no wire dtype '" + text + "'; expected bf16 or fp8");
}

std::string to_string(WireDtype dtype) { return dtype == WireDtype::bf16 ? "bf16" : "fp8"; }

std::size_t bytes_per_copy(WireDtype dtype, std::size_t hidden) {
  return dtype == WireDtype::bf16 ? 2 * hidden : hidden + hidden / kScaleGroup * sizeof(float);
}

void fill_token(Activation activation, std::uint64_t step, int rank, std::size_t token,
                std::span<std::uint16_t> bf16) {
  KeyedRandom random(step, static_cast<std::uint64_t>(rank), token, kElement);
  for (std::size_t column = 0; column < bf16.size(); ++column) {
    bf16[column] = to_bf16(value(activation, random.next(), column));
  }
}

void encode_token(WireDtype dtype, std::span<const std::uint16_t> bf16, std::span<std::byte> wire) {
  if (dtype == WireDtype::bf16) {
    std::memcpy(wire.data(), bf16.data(), bf16.size_bytes());
    return;
  }
  const auto [codes, scales] = split(wire);
  quantise(bf16, {reinterpret_cast<std::uint8_t*>(codes.data()), codes.size()},
           {reinterpret_cast<float*>(scales.data()), scales.size() / sizeof(float)});
}

void decode_token(WireDtype dtype, std::span<const std::byte> wire, std::span<float> values) {
  if (dtype == WireDtype::bf16) {
    widen({reinterpret_cast<const std::uint16_t*>(wire.data()), values.size()}, values);
    return;
  }
  const auto [codes, scales] = split(wire);
  dequantise({reinterpret_cast<const std::uint8_t*>(codes.data()), codes.size()},
             {reinterpret_cast<const float*>(scales.data()), scales.size() / sizeof(float)}, values);
}

}  // namespace nightsweep
