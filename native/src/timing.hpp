#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fault.hpp"
#include "transport.hpp"

namespace nightsweep {

/**
 * What a time means: part of every identity, so that figures of another meaning are never put into one
 * series. Counts up with every change of what lies between the two looks at the clock.
 */
inline constexpr const char* kMetricContract =
    "barrier; operation x opsPerSample; max over ranks; nearest rank; v2";

/** Samples of one point: what a record can hold. */
inline constexpr long kMostSamples = 1'000'000;

/** How often a point is measured. */
struct Sampling {
  int iterations = 8;
  int trials = 64;
  /** Full round trips (every component once, in order) before each trial, not timed. */
  int warmup = 32;

  [[nodiscard]] long samples() const { return static_cast<long>(iterations) * trials; }

  /** As identities name it: "8x64 after 32". */
  [[nodiscard]] std::string words() const {
    return std::to_string(iterations) + "x" + std::to_string(trials) + " after " + std::to_string(warmup);
  }
};

/** Throws BadCase where one point has more than kMostSamples. */
void hold_sampling(const Sampling& sampling);

/** A part of a kernel that is timed by itself. */
struct Component {
  std::string name;
  /** What is timed; on a GPU it only enqueues. */
  std::function<void()> operation;
  /** Of what a time stands for, so many are one operation: a ping-pong is two messages. */
  int parts = 1;
  /** What must be restored before a sample, outside the timed window; may be empty. */
  std::function<void()> before = {};
  /** S of algbw = S/t, in bytes; 0 where a bandwidth has no meaning. */
  double state_bytes = 0;
  /** busbw / algbw. */
  double bus_factor = 0;
  /** Floating-point operations of one rank; 0 where none are counted. */
  double flops = 0;
  /** Bytes that one rank must write at least, whatever the algorithm: for the roofline. */
  double least_bytes_written = 0;
};

/** Samples of one component, in order, each in seconds per operation. */
struct Samples {
  std::vector<double> max_over_ranks;
  std::vector<double> min_over_ranks;
  /** By the host's clock, from the first launch until all is done, the maximum over ranks: where the samples
   * are by a device's clock; else empty. */
  std::vector<double> wall;
};

/** A case that has taken longer than it may; every rank throws it after the same trial. */
struct CaseTooLong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/**
 * Times the components of a kernel: a barrier before every sample, nothing but the operation inside, and per
 * sample the maximum over ranks, which is the critical path. The order of the components rotates between
 * trials. Rank 0 prints a line a trial so that others can follow. The samples are in the order of the
 * components.
 *
 * @param limit_seconds what all trials may take together; 0 for no limit
 * @throws CaseTooLong after the trial in which the limit was passed
 */
std::vector<Samples> time_components(Transport& transport, const Sampling& sampling, int ops_per_sample,
                                     const std::string& label, const std::vector<Component>& components,
                                     Fault fault = Fault::none, double limit_seconds = 0);

}  // namespace nightsweep
