#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
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
  return {percentile(samples, 0.50),
          percentile(samples, 0.90),
          percentile(samples, 0.95),
          percentile(samples, 0.99),
          samples.front(),
          samples.back(),
          mean,
          stdev,
          mean > 0 ? stdev / mean : 0};
}

double allreduce_bus_factor(int ranks) { return 2.0 * (ranks - 1) / ranks; }

double share_bus_factor(int ranks) { return 1.0 * (ranks - 1) / ranks; }

std::optional<Line> fit_line(const std::vector<double>& bytes, const std::vector<double>& seconds) {
  if (bytes.size() != seconds.size() || std::set<double>(bytes.begin(), bytes.end()).size() < 3)
    return std::nullopt;
  const auto n = static_cast<double>(bytes.size());
  const double x_mean = std::accumulate(bytes.begin(), bytes.end(), 0.0) / n;
  const double y_mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / n;
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    xx += (bytes[i] - x_mean) * (bytes[i] - x_mean);
    xy += (bytes[i] - x_mean) * (seconds[i] - y_mean);
    yy += (seconds[i] - y_mean) * (seconds[i] - y_mean);
  }
  const double beta = xy / xx;
  const auto largest = static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
  return Line{y_mean - beta * x_mean, beta, yy > 0 ? xy * xy / (xx * yy) : 0,
              beta * bytes[largest] / seconds[largest]};
}

}  // namespace nightsweep
