#include "case_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "cli.hpp"

namespace nightsweep {

TEST(CaseWatchDeathTest, EndsAProcessThatHangsAfterItsLastWords) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto hang = [] {
    const CaseWatch watch(0.01, [] { std::cerr << "it hangs" << std::endl; });
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  };
  EXPECT_EXIT(hang(), testing::ExitedWithCode(kFailed), "it hangs");
}

TEST(CaseWatchDeathTest, EndsItWhereTheWordsFailAsWell) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto hang = [] {
    const CaseWatch watch(0.01, [] { throw std::runtime_error("no room for words"); });
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  };
  EXPECT_EXIT(hang(), testing::ExitedWithCode(kFailed), "");
}

TEST(CaseWatch, LeavesACaseAloneThatEnds) {
  bool told = false;
  {
    const CaseWatch watch(3600, [&] { told = true; });
  }
  {
    const CaseWatch watch(patience_with(0, 60), [&] { told = true; });
  }
  EXPECT_FALSE(told);
  EXPECT_EQ(patience_with(30, 60), 120);
}

}  // namespace nightsweep
