#include "pattern.hpp"

#include <gtest/gtest.h>

namespace nightsweep {
namespace {

constexpr int kSummedRanks = 5;

/** The values of all ranks at a place, reduced one by one in the type; one rank may be left out. */
template <typename T>
T reduced(Reduction how, Summands kind, std::size_t i, int left_out) {
  double result = 0;
  bool first = true;
  for (int r = 0; r < kSummedRanks; ++r) {
    if (r == left_out) continue;
    const double next = operand<T>(how, kind, kSummedRanks, r, i);
    result = first                    ? next
             : how == Reduction::max  ? std::max(result, next)
             : how == Reduction::min  ? std::min(result, next)
             : how == Reduction::prod ? result * next
                                      : result + next;
    result = static_cast<double>(element_of<T>(result));
    first = false;
  }
  return element_of<T>(how == Reduction::avg ? result / kSummedRanks : result);
}

template <typename T>
void hold(Reduction how, Summands kind) {
  int noticed = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(reduced_right<T>(how, kind, kSummedRanks, i, reduced<T>(how, kind, i, -1))) << i;
    noticed += !reduced_right<T>(how, kind, kSummedRanks, i,
                                 reduced<T>(how, kind, i, static_cast<int>(i) % kSummedRanks));
  }
  // The maximum without one rank is often still the maximum; in four of five cases with five ranks.
  EXPECT_GT(noticed, how == Reduction::max || how == Reduction::min ? 100 : 500);
}

}  // namespace

TEST(Pattern, AReductionThatLacksARankIsNoticedAndARightOneIsNot) {
  for (const Reduction how : {Reduction::sum, Reduction::prod, Reduction::max, Reduction::min}) {
    hold<float>(how, Summands::exact);
    hold<float>(how, Summands::rounded);
    hold<f16>(how, Summands::exact);
    hold<f16>(how, Summands::rounded);
    hold<bf16>(how, Summands::exact);
    hold<bf16>(how, Summands::rounded);
    hold<std::int32_t>(how, Summands::exact);
  }
  hold<float>(Reduction::avg, Summands::rounded);
  hold<bf16>(Reduction::avg, Summands::rounded);
}

}  // namespace nightsweep
