#include "timing.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

#include "errors.hpp"
#include "json.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

constexpr auto kStraggle = std::chrono::milliseconds(2);
/**
 * Minimum length of the first trial's warm-up: in a library's first milliseconds a message of 8 bytes takes
 * five times as long as later, no matter how many were sent before.
 */
constexpr std::chrono::duration<double> kLeastWarmUp = std::chrono::milliseconds(10);
constexpr int kRoundsBetweenLooks = 64;

class Stopwatch {
 public:
  Stopwatch(Transport& transport, const Sampling& sampling, int ops_per_sample, Fault fault)
      : transport_(transport), sampling_(sampling), ops_(ops_per_sample), fault_(fault) {}

  /** This rank's seconds per operation, one for each iteration; and as many by the host's clock. */
  std::pair<std::vector<double>, std::vector<double>> trial(const Component& component) {
    const bool straggles = fault_ == Fault::straggler && transport_.rank() == transport_.ranks() - 1;
    const auto timed = [&] {
      for (int op = 0; op < ops_; ++op) {
        if (straggles) std::this_thread::sleep_for(kStraggle);
        component.operation();
        ++operations_;
      }
    };
    std::vector<double> own, wall;
    for (int i = 0; i < sampling_.iterations; ++i) {
      if (component.before) component.before();
      transport_.barrier();
      const auto start = std::chrono::steady_clock::now();
      own.push_back(transport_.seconds(timed) / ops_ / component.parts *
                    (fault_ == Fault::impossible ? 1e-6 : 1));
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      wall.push_back(taken.count() / ops_ / component.parts);
    }
    return {own, wall};
  }

  /** Operations timed so far, of all components. */
  [[nodiscard]] long operations() const { return operations_; }

 private:
  Transport& transport_;
  const Sampling& sampling_;
  int ops_;
  Fault fault_;
  long operations_ = 0;
};

/** Runs untimed rounds of all components. */
void warm_up(int rounds, const std::vector<Component>& components) {
  for (int w = 0; w < rounds; ++w) {
    for (const Component& component : components) {
      if (component.before) component.before();
      component.operation();
    }
  }
}

}  // namespace

void hold_sampling(const Sampling& sampling) {
  if (sampling.samples() > kMostSamples) {
    throw BadCase(std::to_string(sampling.iterations) + " iterations in " + std::to_string(sampling.trials) +
                  " trials are " + std::to_string(sampling.samples()) +
                  " samples of a point; expected at most " + std::to_string(kMostSamples));
  }
}

std::vector<Samples> time_components(Transport& transport, const Sampling& sampling, int ops_per_sample,
                                     const std::string& label, const std::vector<Component>& components,
                                     Fault fault, double limit_seconds) {
  const auto start = std::chrono::steady_clock::now();
  Stopwatch stopwatch(transport, sampling, ops_per_sample, fault);
  std::vector<Samples> samples(components.size());
  long astray = 0;
  for (int trial = 0; trial < sampling.trials; ++trial) {
    warm_up(sampling.warmup, components);
    // The first rank's clock decides for all, here and below.
    const auto is_cold = [&] {
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
      return transport.gather({since.count()}).front() < kLeastWarmUp.count();
    };
    while (trial == 0 && sampling.warmup > 0 && is_cold()) warm_up(kRoundsBetweenLooks, components);
    double headline = 0;
    for (std::size_t c = 0; c < components.size(); ++c) {
      const std::size_t turn = (c + static_cast<std::size_t>(trial)) % components.size();
      const auto [own, wall] = stopwatch.trial(components[turn]);
      const auto slowest = transport.max_over_ranks(own);
      const auto fastest = transport.min_over_ranks(own);
      // Checks that every rank got the same maxima: none may take its own time for the slowest.
      const auto least_told = transport.min_over_ranks(slowest);
      for (std::size_t i = 0; i < own.size(); ++i) {
        astray += !(fastest[i] <= own[i] && own[i] <= least_told[i]);
      }
      Samples& all = samples[turn];
      all.max_over_ranks.insert(all.max_over_ranks.end(), slowest.begin(), slowest.end());
      all.min_over_ranks.insert(all.min_over_ranks.end(), fastest.begin(), fastest.end());
      if (transport.accelerator() != nullptr) {
        const auto longest = transport.max_over_ranks(wall);
        all.wall.insert(all.wall.end(), longest.begin(), longest.end());
      }
      if (turn == 0) headline = summarise(slowest).p50;
    }
    if (transport.rank() == 0 && !label.empty()) {
      std::printf("completed trial: %d/%d, %s, p50_us: %.3f\n", trial + 1, sampling.trials, label.c_str(),
                  1e6 * headline);
      std::fflush(stdout);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (limit_seconds > 0 && transport.gather({taken.count()}).front() > limit_seconds) {
      throw CaseTooLong("its limit of " + Json(limit_seconds).dump() + " s was over after " +
                        std::to_string(trial + 1) + " of " + std::to_string(sampling.trials) + " trials");
    }
  }
  const long ordered =
      static_cast<long>(components.size()) * sampling.trials * sampling.iterations * ops_per_sample;
  if (transport.sum_over_ranks(stopwatch.operations() != ordered ? 1 : 0) > 0) {
    throw TransportError(std::to_string(stopwatch.operations()) + " operations were timed where " +
                             std::to_string(ordered) + " were ordered",
                         false);
  }
  if (const long all = transport.sum_over_ranks(astray); all > 0) {
    throw TransportError(std::to_string(all) + " times of ranks lie beyond what was told of all ranks",
                         false);
  }
  return samples;
}

}  // namespace nightsweep
