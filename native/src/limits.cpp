#include "limits.hpp"

#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "fma_peak.hpp"
#include "probe.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLargestCopy = std::size_t{64} << 20;
constexpr std::size_t kLeastCopied = std::size_t{1} << 20;
constexpr int kCopyRuns = 8;
constexpr int kPings = 1000;
constexpr std::size_t kLongMessage = std::size_t{4} << 20;
constexpr int kLongMessages = 10;
constexpr int kCopyTag = 7;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/** Written bytes per second, the best of several runs. */
double copy_bandwidth(const Buffer& from, const Buffer& to, std::size_t bytes) {
  const std::size_t copies = std::max<std::size_t>(1, kLeastCopied / bytes);
  double best = 0;
  for (int run = 0; run < kCopyRuns; ++run) {
    const auto start = Clock::now();
    for (std::size_t c = 0; c < copies; ++c) {
      std::memcpy(to.data(), from.data(), bytes);
      // Forces the copy to happen although its result is not read.
      asm volatile("" : : "r"(to.data()) : "memory");
    }
    best = std::max(best, static_cast<double>(bytes * copies) / seconds_since(start));
  }
  return best;
}

/** Half of each round trip between the first and the last rank, in seconds; the other ranks only wait. */
std::vector<double> ping_pong(Transport& transport, std::size_t bytes, int times) {
  const int last = transport.ranks() - 1;
  const Buffer buffer = allocate_heap(bytes);
  std::vector<double> halves(static_cast<std::size_t>(times));
  transport.barrier();
  if (transport.rank() == 0 || transport.rank() == last) {
    const int peer = transport.rank() == 0 ? last : 0;
    const auto send = [&] { transport.send_now(buffer.data(), bytes, peer, kCopyTag); };
    const auto receive = [&] { transport.receive_now(buffer.data(), bytes, peer, kCopyTag); };
    for (double& half : halves) {
      const auto start = Clock::now();
      transport.rank() == 0 ? send() : receive();
      transport.rank() == 0 ? receive() : send();
      half = seconds_since(start) / 2;
    }
  }
  transport.barrier();
  return halves;
}

}  // namespace

double Limits::copy_limit(double bytes) const {
  double limit = 0;
  for (const auto& [size, bandwidth] : copy_bytes_per_second) {
    if (limit == 0 || static_cast<double>(size) <= bytes) limit = bandwidth;
  }
  return limit;
}

std::optional<double> Limits::flops_limit(const std::string& dtype) const {
  const auto found = flops_per_second.find(dtype);
  return found == flops_per_second.end() ? std::nullopt : std::optional(found->second);
}

Limits measure_limits(Transport& transport) {
  Limits limits;
  const auto best = [&](double own) { return transport.max_over_ranks({own}).front(); };
  limits.blas_threads = openblas_get_num_threads();
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    limits.flops_per_second[to_string(dtype)] = best(fma_peak(dtype, limits.blas_threads));
  }
  {
    const Buffer from = allocate_heap(kLargestCopy);
    const Buffer to = allocate_heap(kLargestCopy);
    std::memset(from.data(), 1, from.bytes());
    for (std::size_t bytes = 4096; bytes <= kLargestCopy; bytes *= 4) {
      limits.copy_bytes_per_second[bytes] = best(copy_bandwidth(from, to, bytes));
    }
  }
  // A smaller state is in a nearer cache and so at least as fast, whatever a single run showed.
  double nearest = 0;
  for (auto it = limits.copy_bytes_per_second.rbegin(); it != limits.copy_bytes_per_second.rend(); ++it) {
    it->second = nearest = std::max(nearest, it->second);
  }
  if (transport.ranks() > 1) {
    limits.latency_seconds = transport.gather({summarise(ping_pong(transport, 8, kPings)).p50}).front();
    const double fastest = summarise(ping_pong(transport, kLongMessage, kLongMessages)).min;
    limits.message_bytes_per_second = static_cast<double>(kLongMessage) / transport.gather({fastest}).front();
  }
  return limits;
}

Json to_json(const Limits& limits) {
  Json copies = Json::array();
  for (const auto& [bytes, bandwidth] : limits.copy_bytes_per_second) {
    copies.push_back({{"bytes", bytes}, {"bytesPerSecond", bandwidth}});
  }
  return {{"copies", copies},
          {"fmaFlopsPerSecond", limits.flops_per_second},
          {"blasThreads", limits.blas_threads},
          {"blasCore", openblas_get_corename()},
          {"blasWarning", blas_warning() ? Json(*blas_warning()) : Json()},
          {"latencySeconds", limits.latency_seconds ? Json(*limits.latency_seconds) : Json()},
          {"messageBytesPerSecond",
           limits.message_bytes_per_second ? Json(*limits.message_bytes_per_second) : Json()},
          {"rooflineTolerance", kRooflineTolerance}};
}

}  // namespace nightsweep
