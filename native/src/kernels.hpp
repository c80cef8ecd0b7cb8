#pragma once
#include <string>
#include <vector>

#include "result.hpp"

namespace nightsweep {

/** Faults for tests: what must be caught is provoked here. */
enum class Fault { none, wrong, straggler, crash };

Fault parse_fault(const std::string& text);

struct AllreduceOptions {
  std::vector<std::size_t> bytes;
  Dtype dtype = Dtype::f32;
  bool in_place = false;
  Fault fault = Fault::none;
};

/** A record per size; sum over ranks, checked element by element before and after the timed part. */
Json run_allreduce(Transport& transport, const AllreduceOptions& options, const Sampling& sampling);

struct GemmOptions {
  int m = 512, n = 512, k = 512;
  Dtype dtype = Dtype::f32;
  /** "NN", "NT", "TN" or "TT". */
  std::string layout = "NN";
  Fault fault = Fault::none;
};

/** One record; every rank multiplies its own matrices, checked against a plain triple loop on samples. */
Json run_gemm(Transport& transport, const GemmOptions& options, const Sampling& sampling);

}  // namespace nightsweep
