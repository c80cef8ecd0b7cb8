#include "control.hpp"

#include <gtest/gtest.h>

#include "digest.hpp"
#include "errors.hpp"

namespace nightsweep {
namespace {

Control parsed(const std::string& text) { return parse_control(text, sha256(text)); }

}  // namespace

TEST(Sha256, OfAKnownText) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Control, HasItsCasesInOrder) {
  const Control control = parsed(
      R"({"schema": 1, "ranks": 4, "sampling": {"trials": 3}, "cases": [{"kernel": "gemm"}, {"kernel": "allreduce"}]})");
  EXPECT_EQ(control.ranks, 4);
  EXPECT_EQ(control.sampling.trials, 3);
  EXPECT_EQ(control.sampling.warmup, 32);
  ASSERT_EQ(control.cases.size(), 2U);
  EXPECT_EQ(control.cases[0]["kernel"], "gemm");
}

TEST(Control, IsTheAnnouncedOneOrNone) {
  const std::string text = R"({"schema": 1, "cases": [{"kernel": "gemm"}]})";
  EXPECT_NO_THROW(parsed(text));
  EXPECT_THROW(parse_control(text + " ", sha256(text)), BadControl);
  EXPECT_THROW(parse_control(text, ""), BadControl);
  EXPECT_THROW(read_control("/nonexistent", sha256(text)), BadControl);
}

TEST(Control, RefusesWhatItDoesNotKnow) {
  for (const char* text : {
           "",
           "[]",
           R"({"schema": 2, "cases": [{"kernel": "gemm"}]})",
           R"({"schema": 1, "cases": []})",
           R"({"schema": 1})",
           R"({"schema": 1, "cases": [{}]})",
           R"({"schema": 1, "cases": [{"kernel": 3}]})",
           R"({"schema": 1, "cases": [{"kernel": "gemm"}], "colour": 1})",
           R"({"schema": 1, "schema": 1, "cases": [{"kernel": "gemm"}]})",
           R"({"schema": 1, "cases": [{"kernel": "gemm", "m": 1, "m": 2}]})",
           R"({"schema": 1, "cases": [{"kernel": "gemm"}, {"kernel": "gemm"}]})",
           R"({"schema": 1, "cases": [{"kernel": "gemm"}], "sampling": {"trials": 0}})",
           R"({"schema": 1, "cases": [{"kernel": "gemm"}], "ranks": "2"})",
           R"({"schema": 1, "cases": [{"kernel": "gemm"}], "metricContract": "v0"})",
           R"({"schema": 1, "cases": [{"kernel": "gemm"}]} {})",
       }) {
    EXPECT_THROW(parsed(text), BadControl) << text;
  }
}

}  // namespace nightsweep
