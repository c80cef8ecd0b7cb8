#include "capabilities.hpp"

#include <gtest/gtest.h>

#include <set>

#include "errors.hpp"

namespace nightsweep {
namespace {

std::string rule_of(const std::string& text) {
  const Json answer = capabilities_of(Json::array({Json::parse(text)})).front();
  EXPECT_EQ(answer["verdict"] == "runnable", answer["rule"].is_null());
  return answer["rule"].is_null() ? answer["verdict"].get<std::string>() : answer["rule"].get<std::string>();
}

}  // namespace

TEST(Capabilities, DefaultCasesRunOnMpiAndOnGpusButForPipelines) {
  EXPECT_EQ(rule_of(R"({"kernel": "ep", "backend": "mpi", "ranks": 8})"), "runnable");
  for (const char* kernel : {"ep", "tp-layer", "gemm"}) {
    EXPECT_EQ(rule_of(R"({"kernel": ")" + std::string(kernel) + R"(", "backend": "nccl", "ranks": 8})"),
              "runnable");
  }
  EXPECT_EQ(rule_of(R"({"kernel": "ep-pipeline", "backend": "rccl", "ranks": 8})"), "device-code");
  EXPECT_EQ(rule_of(R"({"kernel": "tp-layer", "backend": "mpi", "ranks": 8})"), "runnable");
  EXPECT_EQ(rule_of(R"({"kernel": "gemm", "backend": "mpi", "ranks": 1})"), "runnable");
}

TEST(Capabilities, EveryRuleSpeaksAgainstSomethingAndNotAgainstItsNeighbour) {
  const std::vector<std::tuple<const char*, const char*, const char*>> cases = {
      {"ep-topk", R"("experts": 4, "topk": 5, "hidden": 256)", R"("experts": 8, "topk": 5, "hidden": 256)"},
      {"ep-experts-per-rank", R"("experts": 254)", R"("experts": 264)"},
      {"ep-experts-per-rank", R"("redundantExperts": 31)", R"("redundantExperts": 32)"},
      {"ep-rank-local", R"("routing": "balanced-rank-local", "topk": 33)",
       R"("routing": "balanced-rank-local", "topk": 32)"},
      {"ep-balancing-places", R"("redundantExperts": 32, "placement": "striped")",
       R"("placement": "striped")"},
      {"ep-domain-of-nodes", R"("gpusPerNode": 8, "scaleUpDomain": 12)",
       R"("gpusPerNode": 8, "scaleUpDomain": 72)"},
      {"ep-contract-version", R"("contractVersion": 9)", R"("contractVersion": 1)"},
      {"ep-words", R"("hidden": 7167)", R"("hidden": 7166)"},
      {"ep-fp8-groups", R"("dtype": "fp8", "hidden": 7200)", R"("hidden": 7200)"},
      {"ep-fp8-groups", R"("combineDtype": "fp8", "hidden": 7200)", R"("combineDtype": "fp8")"},
      {"ep-low-latency-prefill", R"("mode": "low-latency", "phase": "prefill")", R"("mode": "low-latency")"},
      {"ep-low-latency-path", R"("mode": "low-latency", "resource": "tuned")", R"("resource": "tuned")"},
      {"ep-budget", R"("resource": "fixed")", R"("resource": "fixed", "budget": 7)"},
      {"ep-budget", R"("resource": "fixed", "budget": 8)", R"("resource": "fixed", "budget": 1)"},
      {"ep-budget", R"("budget": 1)", R"("budget": 0)"},
      {"ep-decode-ladder", R"("tokens": 1024)", R"("tokens": 512)"},
      {"ep-prefill-ladder", R"("phase": "prefill", "tokens": 64)", R"("phase": "prefill", "tokens": 8192)"},
      {"ep-prefill-ladder", R"("phase": "prefill", "tokens": 16384)", R"("phase": "prefill", "tokens": 128)"},
  };
  std::set<std::string> seen = {"device-code",     "ep-batches", "tp-dtype",
                                "tp-dtype-by-gpu", "tp-shards",  "tp-heads"};
  const auto ep = [](const std::string& fields) {
    return rule_of(R"({"kernel": "ep", "backend": "mpi", "ranks": 8, )" + fields + "}");
  };
  for (const auto& [rule, against, beside] : cases) {
    EXPECT_EQ(ep(against), rule) << against;
    EXPECT_EQ(ep(beside), "runnable") << beside;
    seen.insert(rule);
  }
  EXPECT_EQ(rule_of(R"({"kernel": "ep-pipeline", "backend": "mpi", "ranks": 8, "batches": 3})"),
            "ep-batches");
  const auto tp = [](const std::string& fields) {
    return rule_of(R"({"kernel": "tp-layer", "backend": "mpi", "ranks": 4, )" + fields + "}");
  };
  EXPECT_EQ(tp(R"("dtype": "bf16")"), "tp-dtype");
  EXPECT_EQ(tp(R"("heads": 6, "hidden": 768)"), "tp-shards");
  EXPECT_EQ(tp(R"("hidden": 1020)"), "tp-heads");
  // In each pair: a case that cannot run, and a similar one that can.
  const std::vector<std::tuple<const char*, const char*, const char*>> others = {
      {"ep-modes-by-gpu", R"("kernel": "ep", "mode": "low-latency", "backend": "nccl", "ranks": 2)",
       R"("kernel": "ep", "mode": "normal", "backend": "nccl", "ranks": 2)"},
      {"ep-path-by-gpu", R"("kernel": "ep", "resource": "tuned", "backend": "rccl", "ranks": 2)",
       R"("kernel": "ep", "resource": "tuned", "backend": "mpi", "ranks": 2)"},
      {"gemm-fp8-layout", R"("kernel": "gemm", "dtype": "fp8", "backend": "nccl", "ranks": 1)",
       R"("kernel": "gemm", "dtype": "fp8", "layout": "NT", "backend": "nccl", "ranks": 1)"},
      {"gemm-fp8-layout",
       R"("kernel": "gemm", "dtype": "fp8", "layout": "NT", "m": 24, "backend": "nccl", "ranks": 1)",
       R"("kernel": "gemm", "dtype": "bf16", "layout": "NT", "m": 24, "backend": "nccl", "ranks": 1)"},
      {"host-only", R"("kernel": "copy", "bytes": 64, "backend": "rccl", "ranks": 2)",
       R"("kernel": "copy", "bytes": 64, "backend": "mpi", "ranks": 2)"},
      {"buffer-of-a-gpu",
       R"("kernel": "allreduce", "bytes": 64, "buffer": "device", "backend": "mpi", "ranks": 2)",
       R"("kernel": "allreduce", "bytes": 64, "backend": "nccl", "ranks": 2)"},
      {"buffer-of-the-host",
       R"("kernel": "allreduce", "bytes": 64, "buffer": "heap", "backend": "nccl", "ranks": 2)",
       R"("kernel": "allreduce", "bytes": 64, "buffer": "pinned", "backend": "nccl", "ranks": 2)"},
      {"tp-dtype-by-gpu", R"("kernel": "tp-layer", "dtype": "f64", "backend": "nccl", "ranks": 2)",
       R"("kernel": "tp-layer", "dtype": "bf16", "backend": "nccl", "ranks": 2)"},
      {"in-place-by-gpu",
       R"("kernel": "reduce-scatter", "bytes": 64, "inPlace": true, "backend": "nccl", "ranks": 2)",
       R"("kernel": "allreduce", "bytes": 64, "inPlace": true, "backend": "nccl", "ranks": 2)"},
      {"root-is-a-rank", R"("kernel": "broadcast", "bytes": 64, "root": 7, "backend": "mpi", "ranks": 2)",
       R"("kernel": "broadcast", "bytes": 64, "root": 1, "backend": "mpi", "ranks": 2)"},
      {"average-by-library",
       R"("kernel": "allreduce", "bytes": 64, "operator": "avg", "backend": "mpi", "ranks": 2)",
       R"("kernel": "allreduce", "bytes": 64, "operator": "avg", "backend": "nccl", "ranks": 2)"},
      {"average-of-integers",
       R"("kernel": "reduce", "bytes": 64, "operator": "avg", "dtype": "i32", "backend": "nccl", "ranks": 2)",
       R"("kernel": "reduce", "bytes": 64, "operator": "max", "dtype": "i32", "backend": "nccl", "ranks": 2)"},
      {"reduction-by-adapter", R"("kernel": "allreduce", "bytes": 64, "backend": "ucx", "ranks": 2)",
       R"("kernel": "allgather", "bytes": 64, "backend": "ucx", "ranks": 2)"},
      {"reduction-by-adapter", R"("kernel": "reduce", "bytes": 64, "backend": "some-hip", "ranks": 2)",
       R"("kernel": "gather", "bytes": 64, "backend": "some-hip", "ranks": 2)"},
      {"buffer-of-a-gpu",
       R"("kernel": "allgather", "bytes": 64, "buffer": "device", "backend": "ucx", "ranks": 2)",
       R"("kernel": "ep", "backend": "ucx", "ranks": 2)"},
      {"buffer-of-the-host",
       R"("kernel": "allgather", "bytes": 64, "buffer": "heap", "backend": "some-cuda", "ranks": 2)",
       R"("kernel": "allgather", "bytes": 64, "backend": "some-cuda", "ranks": 2)"},
      {"ep-modes-by-gpu", R"("kernel": "ep", "mode": "low-latency", "backend": "some-cuda", "ranks": 2)",
       R"("kernel": "ep", "mode": "low-latency", "backend": "some", "ranks": 2)"},
      {"root-is-a-rank", R"("kernel": "scatter", "bytes": 64, "root": 2, "backend": "mpi", "ranks": 2)",
       R"("kernel": "gather", "bytes": 64, "root": 1, "backend": "mpi", "ranks": 2)"},
      {"counts-of-mpi", R"("kernel": "ping-pong", "bytes": 2147483648, "backend": "mpi", "ranks": 2)",
       R"("kernel": "ping-pong", "bytes": 2147483647, "backend": "mpi", "ranks": 2)"},
      {"counts-of-mpi",
       R"("kernel": "allreduce", "bytes": 8589934592, "dtype": "f32", "backend": "mpi", "ranks": 2)",
       R"("kernel": "allgather", "bytes": 8589934592, "dtype": "f32", "backend": "mpi", "ranks": 2)"},
      {"two-ranks", R"("kernel": "ping-pong", "bytes": 64, "backend": "mpi", "ranks": 1)",
       R"("kernel": "ping-pong", "bytes": 64, "backend": "mpi", "ranks": 2)"},
      {"two-ranks", R"("kernel": "message-rate", "bytes": 64, "backend": "mpi", "ranks": 1)",
       R"("kernel": "message-rate", "bytes": 64, "backend": "mpi", "ranks": 3)"},
      {"shape-of-ranks",
       R"("kernel": "topology-allreduce", "elements": 8, "topology": "torus_2d", "width": 2, "height": 3, "backend": "mpi", "ranks": 5)",
       R"("kernel": "topology-allreduce", "elements": 8, "topology": "torus_2d", "width": 2, "height": 3, "backend": "mpi", "ranks": 6)"},
      {"shape-of-ranks",
       R"("kernel": "topology-allreduce", "elements": 8, "topology": "torus_2d", "backend": "mpi", "ranks": 6)",
       R"("kernel": "topology-allreduce", "elements": 8, "topology": "ring_1d", "backend": "mpi", "ranks": 6)"},
      {"root-of-a-mesh",
       R"("kernel": "topology-allreduce", "elements": 8, "topology": "ring_1d", "rootCentre": true, "backend": "mpi", "ranks": 6)",
       R"("kernel": "topology-allreduce", "elements": 8, "topology": "mesh_2d_no_wrap", "width": 3, "height": 2, "rootCentre": true, "backend": "mpi", "ranks": 6)"},
      {"gemm-dtype", R"("kernel": "gemm", "dtype": "bf16", "backend": "mpi", "ranks": 1)",
       R"("kernel": "gemm", "dtype": "f64", "backend": "mpi", "ranks": 1)"},
      {"an-element", R"("kernel": "allgather", "bytes": 4, "backend": "mpi", "ranks": 8)",
       R"("kernel": "allgather", "bytes": 32, "backend": "mpi", "ranks": 8)"},
      {"a-copied-element", R"("kernel": "copy", "bytes": 7, "backend": "mpi", "ranks": 1)",
       R"("kernel": "copy", "bytes": 8, "backend": "mpi", "ranks": 1)"},
  };
  for (const auto& [rule, against, beside] : others) {
    EXPECT_EQ(rule_of("{" + std::string(against) + "}"), rule) << against;
    EXPECT_EQ(rule_of("{" + std::string(beside) + "}"), "runnable") << beside;
    seen.insert(rule);
  }
  for (const CapabilityRule& rule : capability_rules()) EXPECT_TRUE(seen.contains(rule.id)) << rule.id;
}

TEST(Capabilities, WhatIsNotDeclaredIsRefused) {
  for (const char* text :
       {R"({"kernel": "ep", "backend": "../sccl", "ranks": 8})",
        R"({"kernel": "ep", "backend": "mpi", "ranks": 0})", R"({"kernel": "ep", "backend": "mpi"})",
        R"({"backend": "mpi", "ranks": 8})", R"({"kernel": "ep", "backend": "mpi", "ranks": 8, "colour": 1})",
        R"({"kernel": "ep", "backend": "mpi", "ranks": 8, "dtype": "fp4"})"}) {
    EXPECT_THROW(capabilities_of(Json::array({Json::parse(text)})), BadCase) << text;
  }
}

TEST(Capabilities, AnIdentityIsTheSameHoweverItsVerdict) {
  const Json both =
      capabilities_of(Json::parse(R"([{"kernel": "ep", "backend": "mpi", "ranks": 8, "tokens": 512},
                                                    {"kernel": "ep", "backend": "mpi", "ranks": 8, "tokens": 513}])"));
  std::vector<std::string> first, second;
  for (const auto& [name, value] : both[0]["identity"].items()) first.push_back(name);
  for (const auto& [name, value] : both[1]["identity"].items()) second.push_back(name);
  EXPECT_EQ(first, second);
  EXPECT_NE(both[0]["id"], both[1]["id"]);
}

}  // namespace nightsweep
