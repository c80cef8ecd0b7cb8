#pragma once
#include <optional>
#include <string>
#include <vector>

#include "document.hpp"

namespace nightsweep {

/** Exit codes besides 0, measured. The first that applies, in the order wrong, failed, nothing measured. */
inline constexpr int kBadArguments = 2;
inline constexpr int kWrong = 3;
inline constexpr int kFailed = 4;
/** Every case was dropped or unsupported. */
inline constexpr int kNothingMeasured = 5;
/** The control document is missing or not the announced one. */
inline constexpr int kBadControl = 6;

/** What the command line asks for. */
struct Arguments {
  RunOptions run;
  DocumentOptions document;
  /** Each with its kernel; empty where a control document has them. */
  std::vector<Json> cases;
  std::string control, control_sha256;
  /** Empty: a table on the standard output is all. */
  std::string out;
  /** NDJSON, a line as soon as a case is done; empty for none. */
  std::string rows;
  bool limits = true;
  /** How often all cases are run, one round after the other; more than once only for a table. */
  int cycles = 1;
  /** Nothing: drawn anew. */
  std::optional<std::uint64_t> check_seed;
  /** mpi, nccl or rccl. */
  std::string backend = "mpi";
};

/** Fills in the arguments, or gives the code to exit with: for --help, --version and mistakes, which it
 * prints. */
std::optional<int> parse_arguments(int argc, char** argv, Arguments& arguments);

}  // namespace nightsweep
