#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nightsweep {

/**
 * What tokens hold: bell-shaped around 0; zeros; the bell times 2^-12; the bell times powers of two from
 * 2^-12 to 2^12 that change by element; or one large element in every scale group, beside which the rest
 * nearly vanishes in fp8.
 */
enum class Activation { normal, zeros, small_amplitude, wide_dynamic_range, fp8_saturation };

Activation parse_activation(const std::string& text);
std::string to_string(Activation activation);

/** How a token's elements travel. */
enum class WireDtype { bf16, fp8 };

WireDtype parse_wire_dtype(const std::string& text);
std::string to_string(WireDtype dtype);

/** Of one copy of one token; fp8 carries one f32 scale per 128 elements. */
std::size_t bytes_per_copy(WireDtype dtype, std::size_t hidden);

/** Fills one token; a function of its arguments, so that every rank can say what any token holds. */
void fill_token(Activation activation, std::uint64_t step, int rank, std::size_t token,
                std::span<std::uint16_t> bf16);

/** The token as it travels, bytes_per_copy long. */
void encode_token(WireDtype dtype, std::span<const std::uint16_t> bf16, std::span<std::byte> wire);

/** The elements of a travelled token. */
void decode_token(WireDtype dtype, std::span<const std::byte> wire, std::span<float> values);

}  // namespace nightsweep
