#include "statistics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace nightsweep {

TEST(Percentile, IsNearestRank) {
  const std::vector<double> samples = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(percentile(samples, 0.50), 5);
  EXPECT_EQ(percentile(samples, 0.90), 9);
  EXPECT_EQ(percentile(samples, 0.91), 10);
  EXPECT_EQ(percentile(samples, 0.99), 10);
  EXPECT_EQ(percentile({7}, 0.5), 7);
}

TEST(Summary, OfUnsortedSamples) {
  const Summary s = summarise({4, 1, 3, 2});
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 4);
  EXPECT_EQ(s.p50, 2);
  EXPECT_DOUBLE_EQ(s.mean, 2.5);
  EXPECT_NEAR(s.stdev, 1.2909944, 1e-6);
}

TEST(Summary, NeedsASample) { EXPECT_THROW(summarise({}), std::invalid_argument); }

TEST(BusFactor, OfAllreduce) {
  EXPECT_DOUBLE_EQ(allreduce_bus_factor(2), 1.0);
  EXPECT_DOUBLE_EQ(allreduce_bus_factor(8), 1.75);
}

TEST(Line, ThroughExactPoints) {
  const auto line = fit_line({1e6, 2e6, 4e6}, {1.5e-3, 2.5e-3, 4.5e-3});
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->alpha, 5e-4, 1e-12);
  EXPECT_NEAR(line->beta, 1e-9, 1e-18);
  EXPECT_NEAR(line->r_squared, 1, 1e-12);
  EXPECT_NEAR(line->bandwidth_share, 4.0 / 4.5, 1e-9);
  EXPECT_TRUE(line->publishable());
}

TEST(Line, SaysNothingWhereLatencyIsAllOrPointsScatter) {
  EXPECT_FALSE(fit_line({8, 16, 32}, {1e-6, 1.0001e-6, 1.0003e-6})->publishable());
  EXPECT_FALSE(fit_line({1e6, 2e6, 3e6, 4e6}, {4e-3, 1e-3, 5e-3, 4e-3})->publishable());
  EXPECT_FALSE(fit_line({8, 8, 16}, {1, 1, 2}));
}

}  // namespace nightsweep
