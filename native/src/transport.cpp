#include "transport.hpp"

#include <mpi.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace nightsweep {
namespace {

MPI_Datatype mpi_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return MPI_FLOAT;
    case Dtype::f64:
      return MPI_DOUBLE;
    case Dtype::i32:
      return MPI_INT32_T;
  }
  throw std::invalid_argument("no such dtype");
}

class MpiTransport final : public Transport {
 public:
  MpiTransport(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  ~MpiTransport() override { MPI_Finalize(); }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return ranks_; }
  void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }

  void allreduce_sum(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw std::invalid_argument("an allreduce holds at most 2^31-1 elements");
    }
    MPI_Allreduce(send == receive ? MPI_IN_PLACE : send, receive, static_cast<int>(count), mpi_type(dtype),
                  MPI_SUM, MPI_COMM_WORLD);
  }

  std::vector<double> max_over_ranks(const std::vector<double>& values) override { return reduce(values, MPI_MAX); }
  std::vector<double> min_over_ranks(const std::vector<double>& values) override { return reduce(values, MPI_MIN); }

  long sum_over_ranks(long value) override {
    long sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

  std::vector<std::string> hosts() override {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    std::vector<char> all(name.size() * static_cast<std::size_t>(ranks_));
    MPI_Allgather(name.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
                  MPI_COMM_WORLD);
    std::vector<std::string> hosts;
    for (int r = 0; r < ranks_; ++r) {
      hosts.emplace_back(all.data() + static_cast<std::size_t>(r) * name.size());
    }
    return hosts;
  }

  [[nodiscard]] std::string library() const override {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    return {version.data()};
  }

  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
  }

 private:
  static std::vector<double> reduce(const std::vector<double>& values, MPI_Op op) {
    std::vector<double> result(values.size());
    MPI_Allreduce(values.data(), result.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, MPI_COMM_WORLD);
    return result;
  }

  int rank_ = 0;
  int ranks_ = 1;
};

}  // namespace

Dtype parse_dtype(const std::string& text) {
  if (text == "f32") return Dtype::f32;
  if (text == "f64") return Dtype::f64;
  if (text == "i32") return Dtype::i32;
  throw std::invalid_argument("no dtype '" + text + "'; expected f32, f64 or i32");
}

std::string to_string(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return "f32";
    case Dtype::f64:
      return "f64";
    case Dtype::i32:
      return "i32";
  }
  return "?";
}

std::size_t bytes_of(Dtype dtype) { return dtype == Dtype::f64 ? 8 : 4; }

Transport& mpi_transport(int* argc, char*** argv) {
  static MpiTransport transport(argc, argv);
  return transport;
}

}  // namespace nightsweep
