#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace nightsweep {

/** Element types that a kernel can be asked for. */
enum class Dtype { f32, f64, i32 };

Dtype parse_dtype(const std::string& text);
std::string to_string(Dtype dtype);
std::size_t bytes_of(Dtype dtype);

/** Moves data between ranks. One per process; MPI is initialised by the first and ended by the last. */
class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;
  virtual void barrier() = 0;
  /** Sum over ranks of count elements, from send to receive; in place where both are the same. */
  virtual void allreduce_sum(const void* send, void* receive, std::size_t count, Dtype dtype) = 0;
  /** For each element, the maximum and the minimum over ranks; every rank gets both. */
  virtual std::vector<double> max_over_ranks(const std::vector<double>& values) = 0;
  virtual std::vector<double> min_over_ranks(const std::vector<double>& values) = 0;
  virtual long sum_over_ranks(long value) = 0;
  /** Host names by rank, on every rank. */
  virtual std::vector<std::string> hosts() = 0;
  /** The library's own name and version, probed. */
  [[nodiscard]] virtual std::string library() const = 0;
  /** Ends all ranks. */
  [[noreturn]] virtual void abort(int code) = 0;
};

Transport& mpi_transport(int* argc, char*** argv);

}  // namespace nightsweep
