#include "dtype.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace nightsweep {

TEST(F16, EveryValueComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    f16 half;
    half.bits = static_cast<std::uint16_t>(bits);
    const float value = static_cast<float>(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(f16(value))));
    } else {
      ASSERT_EQ(f16(value).bits, bits);
    }
  }
}

#ifdef __FLT16_MAX__
TEST(F16, RoundsAsTheCompilerDoes) {
  for (std::uint64_t x = 0; x < 0x100000000U; x += 4099) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(x));
    if (std::isnan(value)) continue;
    ASSERT_EQ(f16(value).bits, std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))) << value;
  }
}
#endif

TEST(F16, RoundsToNearestEven) {
  EXPECT_EQ(static_cast<float>(f16(2049.0F)), 2048.0F);
  EXPECT_EQ(static_cast<float>(f16(2051.0F)), 2052.0F);
  EXPECT_EQ(static_cast<float>(f16(65519.0F)), 65504.0F);
  EXPECT_TRUE(std::isinf(static_cast<float>(f16(65520.0F))));
}

TEST(Bf16, EveryValueComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    bf16 half;
    half.bits = static_cast<std::uint16_t>(bits);
    const float value = static_cast<float>(half);
    if (!std::isnan(value)) ASSERT_EQ(bf16(value).bits, bits);
  }
  EXPECT_EQ(static_cast<float>(bf16(257.0F)), 256.0F);
  EXPECT_EQ(static_cast<float>(bf16(259.0F)), 260.0F);
  EXPECT_TRUE(std::isnan(static_cast<float>(bf16(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Dtype, NamesAndSizes) {
  for (const char* name : {"f32", "f64", "f16", "bf16", "i32"}) EXPECT_EQ(to_string(parse_dtype(name)), name);
  EXPECT_EQ(bytes_of(Dtype::bf16), 2U);
  EXPECT_EQ(bytes_of(Dtype::f64), 8U);
  EXPECT_THROW(parse_dtype("f8"), std::invalid_argument);
}

}  // namespace nightsweep
