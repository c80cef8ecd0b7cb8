#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "transport.hpp"

namespace nightsweep {

/** The machine's own limits, measured in the same run as the kernels; each is the best of all ranks. */
struct Limits {
  /** Copy bandwidth in written bytes per second, by bytes copied. */
  std::map<std::size_t, double> copy_bytes_per_second;
  /** Register-only multiply-adds per second, by dtype, with as many threads as the BLAS uses. */
  std::map<std::string, double> flops_per_second;
  int blas_threads = 1;
  /** Half a round trip between the first and the last rank; empty with one rank. */
  std::optional<double> latency_seconds;
  /** Bytes per second of a 4 MiB message between the same ranks; empty with one rank. */
  std::optional<double> message_bytes_per_second;

  /** The limit on writing a state of this size: the bandwidth of the largest measured size up to it. */
  [[nodiscard]] double copy_limit(double bytes) const;
  /** Empty where no peak is known for the dtype. */
  [[nodiscard]] std::optional<double> flops_limit(const std::string& dtype) const;
};

/** How far above a limit a point may be, since repeated measurements differ by this factor. */
inline constexpr double kRooflineTolerance = 1.1;

Limits measure_limits(Transport& transport);
Json to_json(const Limits& limits);

}  // namespace nightsweep
