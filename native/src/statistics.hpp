#pragma once
#include <optional>
#include <vector>

namespace nightsweep {

/** Statistics of a point's samples; all in seconds except cv, which has no unit. */
struct Summary {
  double p50, p90, p95, p99, min, max, mean, stdev, cv;
};

/**
 * Nearest-rank percentile: the smallest sample such that at least the fraction q of all samples does not
 * exceed it.
 */
double percentile(const std::vector<double>& sorted, double q);

/** Throws std::invalid_argument without samples. */
Summary summarise(std::vector<double> samples);

/** Ratio of a kernel's bus bandwidth to its algorithm bandwidth (the formulae of NCCL's own tests). */
double allreduce_bus_factor(int ranks);
/** For allgather, reduce-scatter and all-to-all, in which each rank keeps its own share. */
double share_bus_factor(int ranks);

/** time = alpha + beta * bytes. */
struct Line {
  /** Seconds, and seconds per byte. */
  double alpha, beta;
  double r_squared;
  /** The share of the largest point's time that beta explains. */
  double bandwidth_share;
  /** R^2 >= 0.9 and bandwidth share >= 0.25: otherwise the line is meaningless and is not published. */
  [[nodiscard]] bool publishable() const { return r_squared >= 0.9 && bandwidth_share >= 0.25; }
};

/** Least squares; empty for fewer than three different sizes. */
std::optional<Line> fit_line(const std::vector<double>& bytes, const std::vector<double>& seconds);

}  // namespace nightsweep
