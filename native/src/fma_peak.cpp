#include "fma_peak.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

// Compiled with contraction, so that a * b + c becomes one instruction.

namespace nightsweep {
namespace {

/**
 * Independent chains needed: latency (4) times instructions per cycle (2) is 8; 12 and the two operands fit
 * into 16 registers.
 */
constexpr std::size_t kChains = 12;
constexpr long kRounds = 200'000;
constexpr int kRuns = 16;

volatile double factor = 0.999999;
volatile double summand = 1e-6;
volatile double sink = 0;

/** Floating-point operations a second of one run. */
template <typename T, std::size_t Bytes>
[[gnu::always_inline]] inline double burn() {
  using Vector [[gnu::vector_size(Bytes)]] = T;
  constexpr std::size_t kLanes = Bytes / sizeof(T);
  const Vector a = Vector{} + static_cast<T>(factor);
  const Vector b = Vector{} + static_cast<T>(summand);
  Vector chains[kChains];
  for (std::size_t c = 0; c < kChains; ++c) chains[c] = Vector{} + static_cast<T>(c);
  const auto start = std::chrono::steady_clock::now();
  for (long round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (std::size_t c = 0; c < kChains; ++c) chains[c] = chains[c] * a + b;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  Vector sum = chains[0];
  for (std::size_t c = 1; c < kChains; ++c) sum += chains[c];
  sink = static_cast<double>(sum[0]);
  return 2.0 * kChains * kLanes * static_cast<double>(kRounds) / elapsed.count();
}

#if defined(__x86_64__)
template <typename T>
[[gnu::target("avx512f"), gnu::noinline]] double burn_512() {
  return burn<T, 64>();
}
template <typename T>
[[gnu::target("avx2,fma"), gnu::noinline]] double burn_256() {
  return burn<T, 32>();
}
#endif

template <typename T>
double best_of_widths() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return std::max(burn_512<T>(), burn_256<T>());
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return burn_256<T>();
#endif
  return burn<T, 16>();
}

template <typename T>
double best(int threads) {
  double peak = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> each(static_cast<std::size_t>(threads));
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < each.size(); ++t)
      others.emplace_back([&each, t] { each[t] = best_of_widths<T>(); });
    each[0] = best_of_widths<T>();
    others.clear();
    double sum = 0;
    for (const double one : each) sum += one;
    peak = std::max(peak, sum);
  }
  return peak;
}

}  // namespace

double fma_peak(Dtype dtype, int threads) {
  switch (dtype) {
    case Dtype::f32:
      return best<float>(threads);
    case Dtype::f64:
      return best<double>(threads);
    case Dtype::f16:
    case Dtype::bf16:
    case Dtype::i32:
      return 0;
  }
  return 0;
}

}  // namespace nightsweep
