#include "gemm_check.hpp"

#include <gtest/gtest.h>

namespace nightsweep {
namespace {

/** The product of integers by definition. */
struct Product {
  GemmShape shape;
  std::vector<float> a, b, c;

  explicit Product(const GemmShape& s) : shape(s), a(s.m * s.k), b(s.k * s.n), c(s.m * s.n) {
    KeyedRandom random(7, 0, 0, 0);
    const int range = exact_range(24, s.k);
    for (auto* matrix : {&a, &b}) {
      for (float& x : *matrix) x = static_cast<float>(random.below(2 * range + 1) - range);
    }
    multiply();
  }
  void multiply() {
    const auto& s = shape;
    std::ranges::fill(c, 0.0F);
    for (std::size_t i = 0; i < s.m; ++i) {
      for (std::size_t j = 0; j < s.n; ++j) {
        for (std::size_t p = 0; p < s.k; ++p) {
          c[i * s.n + j] +=
              a[s.a_transposed ? p * s.m + i : i * s.k + p] * b[s.b_transposed ? j * s.k + p : p * s.n + j];
        }
      }
    }
  }
  [[nodiscard]] long wrong(std::uint64_t seed = 1) const {
    return GemmCheck<float>(shape, a, b, c).wrong_of_exact(seed);
  }
};

}  // namespace

TEST(GemmCheck, FindsNothingWrongInARightProductOfAnyLayout) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Product product({33, 17, 65, ta, tb});
      EXPECT_EQ(product.wrong(), 0);
      EXPECT_EQ(GemmCheck<float>(product.shape, product.a, product.b, product.c).wrong_by_rounding(1), 0);
    }
  }
}

TEST(GemmCheck, FindsEachSingleElementThatIsOffByOne) {
  Product product({24, 40, 32, false, false});
  for (std::size_t i = 0; i < product.c.size(); ++i) {
    product.c[i] += 1;
    EXPECT_EQ(product.wrong(i), 1) << i;
    product.c[i] -= 1;
  }
}

TEST(GemmCheck, FindsFactorsOfFewerDigitsThanTheTypeHas) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      for (const bool first_is_whole : {true, false}) {
        Product product({33, 17, 4096, ta, tb});
        fill_selection(product.shape, first_is_whole, 24, 1, product.a, product.b);
        product.multiply();
        EXPECT_EQ(product.wrong(), 0);
        // Two terms of bf16 have 16 digits; the selecting factor has one.
        for (auto* matrix : {&product.a, &product.b}) {
          for (float& x : *matrix) x = std::abs(x) > 1 ? 256 * std::round(x / 256) : x;
        }
        product.multiply();
        fill_selection(product.shape, first_is_whole, 24, 1, product.a, product.b);
        EXPECT_GT(product.wrong(), 33 * 17 / 2);
      }
    }
  }
}

TEST(GemmCheck, CountsZeroedElementsAndWhatIsNoInteger) {
  Product product({32, 32, 16, false, false});
  product.c[5] = std::numeric_limits<float>::quiet_NaN();
  product.c[6] += 0.25F;
  EXPECT_EQ(product.wrong(), 2);
  for (std::size_t i = 0; i < product.c.size(); ++i) {
    if (i % 64 != 0) product.c[i] = 1e9F;
  }
  EXPECT_EQ(product.wrong(), 32 * 32 - 16);
}

TEST(GemmCheck, SamplesEveryRowAndColumnOfALargeProduct) {
  const GemmShape large{4096, 2048, 4096, false, false};
  const std::vector<float> none;
  EXPECT_EQ(GemmCheck<float>(large, none, none, none).sampled(), std::size_t{1} << 15);
  const GemmShape standard{512, 512, 512, false, false};
  EXPECT_EQ(GemmCheck<float>(standard, none, none, none).sampled(), std::size_t{512} * 512);
}

TEST(GemmCheck, ToleratesRoundingButNoShorterNumbers) {
  Product product({16, 16, 512, false, false});
  KeyedRandom random(3, 0, 0, 0);
  for (auto* matrix : {&product.a, &product.b}) {
    for (float& x : *matrix) x = static_cast<float>(random.uniform() - 0.5);
  }
  const auto multiply = [&](auto rounded) {
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t j = 0; j < 16; ++j) {
        float sum = 0;
        for (std::size_t p = 0; p < 512; ++p) sum += rounded(product.a[i * 512 + p]) * product.b[p * 16 + j];
        product.c[i * 16 + j] = sum;
      }
    }
    return GemmCheck<float>(product.shape, product.a, product.b, product.c).wrong_by_rounding(1);
  };
  EXPECT_EQ(multiply([](float x) { return x; }), 0);
  EXPECT_GT(multiply([](float x) { return std::ldexp(std::round(std::ldexp(x, 8)), -8); }), 100);
}

}  // namespace nightsweep
