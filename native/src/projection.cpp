#include "projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "backends.hpp"
#include "dtype.hpp"
#include "ep_options.hpp"
#include "ep_routing.hpp"
#include "tp_shape.hpp"

namespace nightsweep {
namespace {

// The reference machine, in seconds; BENCHMARKS.md describes how these figures were found.
constexpr double kMessage = 5e-6;
constexpr double kMessageByte = 1.6e-9;
constexpr double kCopiedByte = 0.25e-9;
constexpr double kReadByte = 0.1e-9;
constexpr double kFlop = 1 / 40e9;
/** A floating-point operation in doubles, sequentially, as references are computed. */
constexpr double kReferenceFlop = 1 / 5e9;
/** Drawing one element of the expected result, in both checks. */
constexpr double kDrawnElement = 100e-9;
/** A pipeline's check of a sample of tokens. */
constexpr double kReferenceOfPipeline = 4;
/** Seconds for one byte of a token: packed, sent, received, read, sent back and summed. */
constexpr double kExpertByte = 2.7e-9;
constexpr double kExpertByteChecked = 12e-9;

double number(const Json& c, const char* name) { return c.at(name).get<double>(); }

double steps(double ranks) { return 2 * std::ceil(std::log2(std::max(2.0, ranks))); }

double exchanged(double bytes, double ranks) { return steps(ranks) * kMessage + bytes * kMessageByte; }

Projection of_collective(const Json& c, double bytes) {
  const double ranks = number(c, "ranks");
  const double elements =
      bytes / static_cast<double>(bytes_of(parse_dtype(c.at("dtype").get<std::string>())));
  return {elements * ranks * kDrawnElement, exchanged(bytes, ranks)};
}

Projection of_topology(const Json& c) {
  const double bytes =
      number(c, "elements") * static_cast<double>(bytes_of(parse_dtype(c.at("dtype").get<std::string>())));
  const Projection p = of_collective(c, bytes);
  return {p.fixed_seconds, number(c, "ranks") * kMessage + 2 * p.round_seconds};
}

Projection of_gemm(const Json& c) {
  const double products = number(c, "m") * number(c, "n") * number(c, "k");
  const double touched = number(c, "m") * number(c, "n") + number(c, "k") * (number(c, "m") + number(c, "n"));
  const double wide = c.at("dtype") == "f64" ? 2 : 1;
  return {2 * std::min(products, 0x1p27) * 1e-9 + touched * kDrawnElement, 2 * products * kFlop * wide};
}

Projection of_layer(const Json& c) {
  const TpShape s = tp_shape(c);
  const auto hidden = static_cast<double>(s.hidden);
  const auto rows = static_cast<double>(s.rows());
  const double ranks = number(c, "ranks");
  const double wide = c.at("dtype") == "f64" ? 2 : 1;
  const double weights = hidden * (4 * hidden + 3 * static_cast<double>(s.intermediate));
  const double attention = 4 * rows * static_cast<double>(s.context()) * hidden;
  const double flops = 2 * rows * weights + attention;
  const double layer = std::max(flops * kFlop, 4 * weights * kReadByte) * wide / ranks;
  const double sums = 2 * exchanged(4 * wide * rows * hidden, ranks);
  return {flops * kReferenceFlop + weights / ranks * 20e-9 + 4 * (layer + sums), 3 * layer + 3 * sums};
}

/**
 * Copies that a rank sends, and gets back; with skewed routing, the busiest rank's number is not known
 * beforehand.
 */
double copies_of(const Json& c) {
  const EpOptions o = ep_options(c);
  const bool each_expert = c.at("mode") == "low-latency";
  const double fan = each_expert ? o.routing.topk
                     : c.at("routing") == "balanced-rank-local"
                         ? 1
                         : expected_uniform_fan_out(o.routing.ranks, o.routing.experts, o.routing.topk);
  return number(c, "tokens") * fan;
}

Projection of_experts(const Json& c) {
  const double ranks = number(c, "ranks");
  const double bytes = copies_of(c) * 2 * number(c, "hidden");
  const double fp8 = c.at("dtype") == "fp8" || c.at("combineDtype") == "fp8" ? 1.4 : 1;
  return {0.01 + bytes * kExpertByteChecked, 2 * (bytes * kExpertByte * fp8 + 4 * ranks * kMessage)};
}

Projection of_pipeline(const Json& c) {
  const double tokens = number(c, "tokens");
  const double expert = 3 * number(c, "hidden") * number(c, "intermediate");
  const double slots = number(c, "experts") / number(c, "ranks");
  const double flops = 2 * tokens * number(c, "topk") * expert;
  const double read =
      number(c, "batches") * std::min(slots, tokens * number(c, "topk")) * 4 * expert * 2 * kReadByte;
  const double round = of_experts(c).round_seconds + 3 * std::max(flops * kFlop, read);
  return {kReferenceOfPipeline * std::min(1.0, flops / 1e8) + slots * expert * 20e-9 + 4 * round, round};
}

struct Scaled {
  const char* name;
  long multiple, least;
};

/**
 * The remaining sizes must still be divisible by groups of fp8 elements, heads of a layer and ranks of a
 * shard.
 */
constexpr std::array<Scaled, 7> kScaled = {{{"bytes", 8, 64},
                                            {"elements", 1, 8},
                                            {"m", 8, 32},
                                            {"n", 8, 32},
                                            {"k", 8, 32},
                                            {"hidden", 128, 128},
                                            {"intermediate", 64, 64}}};

}  // namespace

namespace {

/** A device counts as this many reference machines, but no round is shorter than its launches. */
constexpr double kOfReference = 200;
constexpr double kLaunches = 50e-6;

Projection on_host(const Json& identity) {
  const std::string kernel = identity.at("kernel");
  if (kernel == "gemm") return of_gemm(identity);
  if (kernel == "copy") {
    return {number(identity, "bytes") * 2e-9, 1e-6 + number(identity, "bytes") * kCopiedByte};
  }
  if (kernel == "topology-allreduce") return of_topology(identity);
  if (kernel == "tp-layer") return of_layer(identity);
  if (kernel == "ep") return of_experts(identity);
  if (kernel == "ep-pipeline") return of_pipeline(identity);
  if (kernel == "message-rate") {
    const double bytes = number(identity, "window") * number(identity, "bytes");
    return {bytes * kDrawnElement, number(identity, "window") * kMessage / 4 + exchanged(bytes, 2)};
  }
  if (kernel == "pair-matrix") {
    const double pairs = number(identity, "ranks") * (number(identity, "ranks") - 1) / 2;
    return {2 * pairs * number(identity, "bytes") * kDrawnElement,
            pairs * 2 * exchanged(number(identity, "bytes"), 2)};
  }
  if (kernel == "ping-pong") {
    return {number(identity, "bytes") * kDrawnElement, 2 * exchanged(number(identity, "bytes"), 2)};
  }
  return of_collective(identity, number(identity, "bytes"));
}

}  // namespace

Projection projected(const Json& identity) {
  const Projection host = on_host(identity);
  if (device_of_backend(identity.at("backend")).empty()) return host;
  return {host.fixed_seconds, kLaunches + host.round_seconds / kOfReference};
}

Json scaled(Json given, int divisor) {
  for (const Scaled& s : kScaled) {
    if (!given.contains(s.name)) continue;
    const long whole = given[s.name].get<long>();
    const long part = whole / divisor / s.multiple * s.multiple;
    given[s.name] = std::max(part, std::min(whole, s.least));
  }
  return given;
}

}  // namespace nightsweep
