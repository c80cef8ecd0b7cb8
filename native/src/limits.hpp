#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "transport.hpp"

namespace nightsweep {

/** What the machine itself can do, measured in the same run as the kernels; each is the best that any rank
 * saw. */
struct Limits {
  /** Copy bandwidth in written bytes a second, by bytes copied. */
  std::map<std::size_t, double> copy_bytes_per_second;
  /** What register-only multiply-adds reach, by dtype, in as many threads as the BLAS has. */
  std::map<std::string, double> flops_per_second;
  int blas_threads = 1;
  /** Half a round trip between the first and the last rank; nothing with one rank. */
  std::optional<double> latency_seconds;
  /** A 4 MiB message's bytes a second between the same; nothing with one rank. */
  std::optional<double> message_bytes_per_second;

  /** A rank cannot write a state of this size faster: what the largest measured size not above it reached. */
  [[nodiscard]] double copy_limit(double bytes) const;
  /** Nothing where no peak is known for the dtype. */
  [[nodiscard]] std::optional<double> flops_limit(const std::string& dtype) const;
};

/** How far above a limit a point may lie: what is measured twice differs by so much. */
inline constexpr double kRooflineTolerance = 1.1;

Limits measure_limits(Transport& transport);
Json to_json(const Limits& limits);

}  // namespace nightsweep
