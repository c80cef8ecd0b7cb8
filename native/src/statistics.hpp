#pragma once
#include <vector>

namespace nightsweep {

/** What a point's samples say; all in seconds but cv, which has no unit. */
struct Summary {
  double p50, p90, p95, p99, min, max, mean, stdev, cv;
};

/** Nearest-rank percentile: the smallest sample that at least the fraction q of them do not exceed. */
double percentile(const std::vector<double>& sorted, double q);

/** Throws std::invalid_argument without samples. */
Summary summarise(std::vector<double> samples);

/** What a kernel's bus bandwidth is of its algorithm bandwidth (the formulae of NCCL's own tests). */
double allreduce_bus_factor(int ranks);

}  // namespace nightsweep
