#include "projection.hpp"

#include <gtest/gtest.h>

#include "capabilities.hpp"

namespace nightsweep {
namespace {

Json answer(const std::string& text, int divisor = 1) {
  return capabilities_of(Json::array({Json::parse(text)}), divisor).front();
}

double round_of(const std::string& fields) {
  return answer(R"({"backend": "mpi", "ranks": 8, )" + fields + "}")["roundSeconds"].get<double>();
}

}  // namespace

TEST(Projection, EveryRunnableKernelHasOneAndMoreWorkTakesLonger) {
  const std::vector<std::pair<const char*, const char*>> pairs = {
      {R"("kernel": "allreduce", "bytes": 8)", R"("kernel": "allreduce", "bytes": 16777216)"},
      {R"("kernel": "ping-pong", "bytes": 8)", R"("kernel": "ping-pong", "bytes": 16777216)"},
      {R"("kernel": "message-rate", "bytes": 8)", R"("kernel": "message-rate", "bytes": 65536)"},
      {R"("kernel": "copy", "bytes": 65536)", R"("kernel": "copy", "bytes": 16777216)"},
      {R"("kernel": "topology-allreduce", "topology": "ring_1d", "elements": 8)",
       R"("kernel": "topology-allreduce", "topology": "ring_1d", "elements": 491520)"},
      {R"("kernel": "gemm")", R"("kernel": "gemm", "dtype": "f64")"},
      {R"("kernel": "ep")", R"("kernel": "ep", "tokens": 512)"},
      {R"("kernel": "ep")", R"("kernel": "ep", "mode": "low-latency")"},
      {R"("kernel": "ep", "routing": "balanced-rank-local")", R"("kernel": "ep")"},
      {R"("kernel": "ep-pipeline", "hidden": 256)", R"("kernel": "ep-pipeline")"},
      {R"("kernel": "tp-layer")", R"("kernel": "tp-layer", "phase": "prefill", "tokens": 512)"},
  };
  for (const auto& [less, more] : pairs) {
    EXPECT_GT(round_of(less), 0) << less;
    EXPECT_GT(round_of(more), 1.2 * round_of(less)) << more;
  }
  EXPECT_EQ(round_of(R"("kernel": "ep", "topk": 300)"), 0) << "what is refused takes no time";
}

TEST(Projection, AScaledCaseIsTheSameAtAFractionOfItsSizes) {
  const Json ep = answer(R"({"kernel": "ep", "backend": "mpi", "ranks": 8, "dtype": "fp8"})", 56);
  EXPECT_EQ(ep["identity"]["hidden"], 128);
  EXPECT_EQ(ep["identity"]["tokens"], 128);
  EXPECT_EQ(ep["verdict"], "runnable");
  const Json allreduce =
      answer(R"({"kernel": "allreduce", "backend": "mpi", "ranks": 6, "bytes": 16777216})", 56);
  EXPECT_EQ(allreduce["identity"]["bytes"], 299592);
  const Json tiny = answer(R"({"kernel": "allreduce", "backend": "mpi", "ranks": 6, "bytes": 32})", 56);
  EXPECT_EQ(tiny["identity"]["bytes"], 32) << "what is small already is left";
  const Json layer = answer(R"({"kernel": "tp-layer", "backend": "mpi", "ranks": 4})", 56);
  EXPECT_EQ(layer["verdict"], "runnable");
  EXPECT_EQ(layer["identity"]["hidden"], 128);
  const Json device = answer(R"({"kernel": "allreduce", "backend": "nccl", "ranks": 2, "bytes": 4096})", 56);
  EXPECT_EQ(device["identity"]["buffer"], "device");
}

}  // namespace nightsweep
