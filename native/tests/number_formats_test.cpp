#include "number_formats.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace nightsweep {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/** The nearest code, found by trying all; ties go to the even one. */
std::uint8_t nearest_fp8(float value) {
  int best = 0;
  for (int code = 0; code <= 0x7E; ++code) {
    const double distance =
        std::abs(std::abs(double{value}) - double{from_fp8(static_cast<std::uint8_t>(code))});
    const double least =
        std::abs(std::abs(double{value}) - double{from_fp8(static_cast<std::uint8_t>(best))});
    if (distance < least || (distance == least && code % 2 == 0)) best = code;
  }
  return static_cast<std::uint8_t>(best | (std::signbit(value) ? 0x80 : 0));
}

}  // namespace

TEST(Bf16, EveryValueIsItself) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto b = static_cast<std::uint16_t>(bits);
    if (std::isnan(from_bf16(b))) {
      EXPECT_TRUE(std::isnan(from_bf16(to_bf16(from_bf16(b)))));
    } else {
      ASSERT_EQ(to_bf16(from_bf16(b)), b);
    }
  }
}

TEST(Bf16, MidpointsGoToTheEvenNeighbourAndNeighboursOfMidpointsToTheNearest) {
  for (std::uint32_t bits = 0; bits < 0x7F7F; ++bits) {
    const std::uint32_t middle = bits << 16 | 0x8000;
    ASSERT_EQ(to_bf16(std::bit_cast<float>(middle)), bits + (bits & 1));
    ASSERT_EQ(to_bf16(std::bit_cast<float>(middle - 1)), bits);
    ASSERT_EQ(to_bf16(std::bit_cast<float>(middle + 1)), bits + 1);
  }
  EXPECT_EQ(from_bf16(to_bf16(std::numeric_limits<float>::max())), kInfinity);
}

TEST(Fp8, HasTheFormatsKnownValues) {
  EXPECT_EQ(from_fp8(0x7E), 448);
  EXPECT_EQ(from_fp8(0x38), 1);
  EXPECT_EQ(from_fp8(0x08), 0x1p-6F);
  EXPECT_EQ(from_fp8(0x01), 0x1p-9F);
  EXPECT_EQ(from_fp8(0xB8), -1);
  EXPECT_TRUE(std::isnan(from_fp8(0x7F)));
}

TEST(Fp8, EveryCodeIsItself) {
  for (unsigned code = 0; code < 256; ++code) {
    const auto c = static_cast<std::uint8_t>(code);
    ASSERT_EQ(to_fp8(from_fp8(c)), c);
  }
}

TEST(Fp8, BetweenTwoCodesTheNearestAndAtTheMiddleTheEven) {
  for (unsigned code = 0; code < 0x7E; ++code) {
    const float low = from_fp8(static_cast<std::uint8_t>(code));
    const float high = from_fp8(static_cast<std::uint8_t>(code + 1));
    const float middle = (low + high) / 2;
    ASSERT_EQ(to_fp8(middle), code + (code & 1));
    ASSERT_EQ(to_fp8(std::nextafter(middle, 0.0F)), code);
    ASSERT_EQ(to_fp8(std::nextafter(middle, kInfinity)), code + 1);
    ASSERT_EQ(to_fp8(-middle), (code + (code & 1)) | 0x80);
  }
}

TEST(Fp8, Saturates) {
  for (const float large : {448.0F, 449.0F, 464.0F, 465.0F, 480.0F, 1e30F, kInfinity}) {
    EXPECT_EQ(to_fp8(large), 0x7E);
    EXPECT_EQ(to_fp8(-large), 0xFE);
  }
  EXPECT_TRUE(std::isnan(from_fp8(to_fp8(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Fp8, AgreesWithAnExhaustiveSearchOnRandomBits) {
  std::mt19937 random(20261121);
  for (int i = 0; i < 20000; ++i) {
    const float wide = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(wide)) continue;
    ASSERT_EQ(to_fp8(wide), nearest_fp8(wide)) << wide;
    const float narrow = std::ldexp(wide, -std::ilogb(wide) + static_cast<int>(random() % 24) - 13);
    ASSERT_EQ(to_fp8(narrow), nearest_fp8(narrow)) << narrow;
  }
}

TEST(Quantise, ErrorIsBoundedByHalfAStepAndTheLargestOfAGroupIsExact) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (const float amplitude : {1e-30F, 1e-4F, 1.0F, 1e4F, 1e30F}) {
    std::vector<std::uint16_t> row(4 * kScaleGroup);
    for (auto& bits : row) bits = to_bf16(amplitude * normal(random));
    std::vector<std::uint8_t> codes(row.size());
    std::vector<float> scales(4);
    quantise(row, codes, scales);
    std::vector<float> back(row.size());
    dequantise(codes, scales, back);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const float value = from_bf16(row[i]);
      ASSERT_NEAR(back[i], value, std::abs(value) / 16 + scales[i / kScaleGroup] / 1024);
      if (std::abs(value) / scales[i / kScaleGroup] > 447.9F) {
        ASSERT_NEAR(back[i], value, std::abs(value) * 1e-6F);
      }
    }
  }
}

TEST(Quantise, ZerosStayZeros) {
  const std::vector<std::uint16_t> row(kScaleGroup);
  std::vector<std::uint8_t> codes(row.size(), 1);
  std::vector<float> scales(1);
  quantise(row, codes, scales);
  std::vector<float> back(row.size(), 1);
  dequantise(codes, scales, back);
  EXPECT_EQ(back, std::vector<float>(row.size()));
  EXPECT_EQ(scales[0], 1);
}

}  // namespace nightsweep
