#include "timing.hpp"

#include <chrono>
#include <cstdio>

#include "statistics.hpp"

namespace nightsweep {

Samples time_operation(Transport& transport, const Sampling& sampling, const std::string& label,
                       const std::function<void()>& operation) {
  using Clock = std::chrono::steady_clock;
  Samples samples;
  for (int trial = 0; trial < sampling.trials; ++trial) {
    for (int w = 0; w < sampling.warmup; ++w) {
      operation();
    }
    std::vector<double> own;
    for (int i = 0; i < sampling.iterations; ++i) {
      transport.barrier();
      const auto start = Clock::now();
      for (int op = 0; op < sampling.ops_per_sample; ++op) {
        operation();
      }
      const std::chrono::duration<double> elapsed = Clock::now() - start;
      own.push_back(elapsed.count() / sampling.ops_per_sample);
    }
    const auto slowest = transport.max_over_ranks(own);
    const auto fastest = transport.min_over_ranks(own);
    samples.max_over_ranks.insert(samples.max_over_ranks.end(), slowest.begin(), slowest.end());
    samples.min_over_ranks.insert(samples.min_over_ranks.end(), fastest.begin(), fastest.end());
    if (transport.rank() == 0) {
      std::printf("completed trial: %d/%d, %s, p50_us: %.3f\n", trial + 1, sampling.trials, label.c_str(),
                  1e6 * summarise(slowest).p50);
      std::fflush(stdout);
    }
  }
  return samples;
}

}  // namespace nightsweep
