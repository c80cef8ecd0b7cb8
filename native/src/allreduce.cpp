#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "kernels.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

/** Small integers that differ by rank and position: their sum is exact in every dtype. */
template <typename T>
T element(int rank, std::size_t i) {
  return static_cast<T>((static_cast<std::size_t>(rank) * 7 + i * 13) % 61 + 1);
}

template <typename T>
long count_wrong(const std::vector<T>& received, int ranks) {
  long wrong = 0;
  for (std::size_t i = 0; i < received.size(); ++i) {
    T expected = 0;
    for (int r = 0; r < ranks; ++r) {
      expected = static_cast<T>(expected + element<T>(r, i));
    }
    wrong += received[i] != expected;
  }
  return wrong;
}

template <typename T>
class Allreduce {
 public:
  Allreduce(Transport& transport, std::size_t count, const AllreduceOptions& options)
      : transport_(transport), options_(options), send_(count), receive_(count), scratch_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      send_[i] = element<T>(transport.rank(), i);
    }
  }

  void operator()() {
    if (options_.fault == Fault::straggler && transport_.rank() == transport_.ranks() - 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    T* buffer = options_.in_place ? scratch_.data() : receive_.data();
    transport_.allreduce_sum(options_.in_place ? buffer : send_.data(), buffer, send_.size(), options_.dtype);
  }

  /** Reduces known data once and compares every element; the sum over ranks of those that differ. */
  long check() {
    if (options_.in_place) scratch_ = send_;
    (*this)();
    std::vector<T>& result = options_.in_place ? scratch_ : receive_;
    if (options_.fault == Fault::wrong && transport_.rank() == 0) result.back() += 1;
    const long wrong = transport_.sum_over_ranks(count_wrong(result, transport_.ranks()));
    // In place, the timed part sums its own results: zeros keep them finite.
    if (options_.in_place) scratch_.assign(scratch_.size(), T{0});
    return wrong;
  }

 private:
  Transport& transport_;
  const AllreduceOptions& options_;
  std::vector<T> send_, receive_, scratch_;
};

template <typename T>
Json run_size(Transport& transport, const AllreduceOptions& options, const Sampling& sampling, std::size_t bytes) {
  if (bytes < sizeof(T)) {
    throw std::invalid_argument(std::to_string(bytes) + " bytes do not hold one element of " +
                                to_string(options.dtype));
  }
  const std::size_t count = bytes / sizeof(T);
  const Json identity = {{"kernel", "allreduce"},
                         {"bytes", count * sizeof(T)},
                         {"requestedBytes", bytes},
                         {"dtype", to_string(options.dtype)},
                         {"inPlace", options.in_place},
                         {"ranks", transport.ranks()},
                         {"opsPerSample", sampling.ops_per_sample}};
  Allreduce<T> operation(transport, count, options);
  long wrong = operation.check();
  if (options.fault == Fault::crash && transport.rank() == transport.ranks() - 1) {
    std::_Exit(42);
  }
  const Samples samples =
      time_operation(transport, sampling, "kernel: allreduce, bytes: " + std::to_string(bytes), [&] { operation(); });
  wrong += operation.check();
  const auto total = static_cast<double>(count * sizeof(T));
  return case_record(identity, samples, sampling, wrong, {total, allreduce_bus_factor(transport.ranks()), 0});
}

}  // namespace

Fault parse_fault(const std::string& text) {
  if (text == "none") return Fault::none;
  if (text == "wrong") return Fault::wrong;
  if (text == "straggler") return Fault::straggler;
  if (text == "crash") return Fault::crash;
  throw std::invalid_argument("no fault '" + text + "'; expected none, wrong, straggler or crash");
}

Json run_allreduce(Transport& transport, const AllreduceOptions& options, const Sampling& sampling) {
  Json cases = Json::array();
  for (const std::size_t bytes : options.bytes) {
    switch (options.dtype) {
      case Dtype::f32:
        cases.push_back(run_size<float>(transport, options, sampling, bytes));
        break;
      case Dtype::f64:
        cases.push_back(run_size<double>(transport, options, sampling, bytes));
        break;
      case Dtype::i32:
        cases.push_back(run_size<std::int32_t>(transport, options, sampling, bytes));
        break;
    }
  }
  return cases;
}

}  // namespace nightsweep
