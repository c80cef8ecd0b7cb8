#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nightsweep {

/**
 * The content of tokens: bell-shaped around 0; zeros; the bell times 2^-12; the bell times powers of two from
 * 2^-12 to 2^12 that change by element; or one large element in every scale group, which makes the rest
 * nearly vanish in fp8.
 */
enum class Activation { normal, zeros, small_amplitude, wide_dynamic_range, fp8_saturation };

Activation parse_activation(const std::string& text);
std::string to_string(Activation activation);

/** The format of a token's elements in transit. */
enum class WireDtype { bf16, fp8 };

WireDtype parse_wire_dtype(const std::string& text);
std::string to_string(WireDtype dtype);

/** The bytes of one copy of one token; fp8 has one f32 scale for each 128 elements. */
std::size_t bytes_per_copy(WireDtype dtype, std::size_t hidden);

/** Fills one token. The content depends only on the arguments, so every rank can compute any token. */
void fill_token(Activation activation, std::uint64_t step, int rank, std::size_t token,
                std::span<std::uint16_t> bf16);

/** Encodes the token for transit, into bytes_per_copy bytes. */
void encode_token(WireDtype dtype, std::span<const std::uint16_t> bf16, std::span<std::byte> wire);

/** Decodes a token from transit. */
void decode_token(WireDtype dtype, std::span<const std::byte> wire, std::span<float> values);

}  // namespace nightsweep
