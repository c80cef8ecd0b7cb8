#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace nightsweep {

double percentile(const std::vector<double>& sorted, double q) {
  const auto n = static_cast<double>(sorted.size());
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(q * n)));
  return sorted[std::min(rank, sorted.size()) - 1];
}

Summary summarise(std::vector<double> samples) {
  if (samples.empty()) {
    throw std::invalid_argument("a summary needs at least one sample");
  }
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
  double squares = 0;
  for (const double s : samples) {
    squares += (s - mean) * (s - mean);
  }
  const double stdev = samples.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
  return {percentile(samples, 0.50), percentile(samples, 0.90), percentile(samples, 0.95),
          percentile(samples, 0.99), samples.front(),           samples.back(),
          mean,                      stdev,                     mean > 0 ? stdev / mean : 0};
}

double allreduce_bus_factor(int ranks) { return 2.0 * (ranks - 1) / ranks; }

}  // namespace nightsweep
