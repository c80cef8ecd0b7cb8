#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace nightsweep {

/** Element types of a kernel. */
enum class Dtype { f32, f64, f16, bf16, i32 };

/** Throws std::invalid_argument with the value found and the valid ones. */
Dtype parse_dtype(const std::string& text);
std::string to_string(Dtype dtype);
std::size_t bytes_of(Dtype dtype);

/**
 * IEEE binary16, converted in software: rounds to nearest even, without branches, which would prevent
 * vectorisation.
 */
struct f16 {
  std::uint16_t bits = 0;

  constexpr f16() = default;
  constexpr explicit f16(float value) {
    std::uint32_t x = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = x & 0x80000000U;
    x ^= sign;
    std::uint32_t half = 0;
    if (x >= 0x47800000U) {
      half = x > 0x7f800000U ? 0x7e00U : 0x7c00U;
    } else if (x < 0x38800000U) {
      // Adding 0.5 puts the rounded bits of the subnormal at the lower end.
      half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(x) + 0.5F) - 0x3f000000U;
    } else {
      half = (x - 0x38000000U + 0xfffU + ((x >> 13) & 1U)) >> 13;
    }
    bits = static_cast<std::uint16_t>(half | (sign >> 16));
  }
  constexpr explicit operator float() const {
    const std::uint32_t magnitude = bits & 0x7fffU;
    std::uint32_t x = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112F);
    x |= magnitude >= 0x7c00U ? 0x7f800000U : 0U;
    return std::bit_cast<float>(x | (static_cast<std::uint32_t>(bits & 0x8000U) << 16));
  }
  constexpr explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

/** The upper half of a binary32, rounded to nearest even. */
struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  constexpr explicit bf16(float value) {
    const std::uint32_t x = std::bit_cast<std::uint32_t>(value);
    const bool nan = (x & 0x7fffffffU) > 0x7f800000U;
    bits = static_cast<std::uint16_t>(nan ? (x >> 16) | 0x40U : (x + 0x7fffU + ((x >> 16) & 1U)) >> 16);
  }
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  constexpr explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

/** Calls f with a std::type_identity of the dtype's C++ type. */
template <typename F>
decltype(auto) with_dtype(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::f32:
      return f(std::type_identity<float>{});
    case Dtype::f64:
      return f(std::type_identity<double>{});
    case Dtype::f16:
      return f(std::type_identity<f16>{});
    case Dtype::bf16:
      return f(std::type_identity<bf16>{});
    case Dtype::i32:
      return f(std::type_identity<std::int32_t>{});
  }
  throw std::invalid_argument("no such dtype");
}

/** A number as the element type; half types are converted via float. */
template <typename T>
T element_of(double value) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

/** The sum in the element type, rounded once. */
template <typename T>
T added(T a, T b) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
    return T(static_cast<float>(a) + static_cast<float>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

}  // namespace nightsweep
