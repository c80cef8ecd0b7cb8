#pragma once
#include <optional>
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
/** Allgather, reduce-scatter, all-to-all: each rank keeps its own share. */
double share_bus_factor(int ranks);

/** time = alpha + beta * bytes. */
struct Line {
  /** Seconds, and seconds a byte. */
  double alpha, beta;
  double r_squared;
  /** How much of the largest point's time beta accounts for. */
  double bandwidth_share;
  /** R^2 >= 0.9 and bandwidth share >= 0.25: otherwise the line says nothing and is not published. */
  [[nodiscard]] bool publishable() const { return r_squared >= 0.9 && bandwidth_share >= 0.25; }
};

/** Least squares; nothing for fewer than three different sizes. */
std::optional<Line> fit_line(const std::vector<double>& bytes, const std::vector<double>& seconds);

}  // namespace nightsweep
