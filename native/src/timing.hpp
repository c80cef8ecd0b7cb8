#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fault.hpp"
#include "transport.hpp"

namespace nightsweep {

/**
 * The definition of a time: part of every identity, so that figures of another definition never join a
 * series. The version increases with every change to what lies between the two clock readings.
 */
inline constexpr const char* kMetricContract =
    "barrier; operation x opsPerSample; max over ranks; nearest rank; v2";

/** Limit on the samples of one point, due to the size of a record. */
inline constexpr long kMostSamples = 1'000'000;

/** How often a point is measured. */
struct Sampling {
  int iterations = 8;
  int trials = 64;
  /** Complete rounds (every component once, in order) before each trial, not timed. */
  int warmup = 32;

  [[nodiscard]] long samples() const { return static_cast<long>(iterations) * trials; }

  /** The notation in identities: "8x64 after 32". */
  [[nodiscard]] std::string words() const {
    return std::to_string(iterations) + "x" + std::to_string(trials) + " after " + std::to_string(warmup);
  }
};

/** Throws BadCase where one point has more than kMostSamples. */
void hold_sampling(const Sampling& sampling);

/** A part of a kernel that is timed separately. */
struct Component {
  std::string name;
  /** The timed operation; on a GPU it only enqueues. */
  std::function<void()> operation;
  /** The timed operation consists of this many operations: a ping-pong is two messages. */
  int parts = 1;
  /** Restores data before a sample, outside the timed window; may be empty. */
  std::function<void()> before = {};
  /** S in algbw = S/t, in bytes; 0 where a bandwidth is meaningless. */
  double state_bytes = 0;
  /** busbw / algbw. */
  double bus_factor = 0;
  /** Floating-point operations of one rank; 0 where they are not counted. */
  double flops = 0;
  /** Bytes that one rank must write at least with any algorithm: for the roofline. */
  double least_bytes_written = 0;
};

/** Samples of one component, in order, each in seconds per operation. */
struct Samples {
  std::vector<double> max_over_ranks;
  std::vector<double> min_over_ranks;
  /**
   * Times by the host's clock, from the first launch until all is done, the maximum over ranks; empty unless
   * the samples use a device's clock.
   */
  std::vector<double> wall;
};

/** A case took longer than allowed; every rank throws it after the same trial. */
struct CaseTooLong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/**
 * Times the components of a kernel: a barrier before every sample, only the operation inside, and for each
 * sample the maximum over ranks, which is the critical path. The order of the components rotates between
 * trials. Rank 0 prints a line for each trial, so that others can follow. The samples are in the order of the
 * components.
 * @param limit_seconds for all trials together; 0 for no limit
 * @throws CaseTooLong after the trial in which the limit was passed
 */
std::vector<Samples> time_components(Transport& transport, const Sampling& sampling, int ops_per_sample,
                                     const std::string& label, const std::vector<Component>& components,
                                     Fault fault = Fault::none, double limit_seconds = 0);

}  // namespace nightsweep
