#pragma once
#include <optional>
#include <string>
#include <vector>

#include "document.hpp"

namespace nightsweep {

/**
 * Exit codes besides 0 (all measured). The first that applies is used, in the order wrong, failed, nothing
 * measured.
 */
inline constexpr int kBadArguments = 2;
inline constexpr int kWrong = 3;
inline constexpr int kFailed = 4;
/** Every case was dropped or unsupported. */
inline constexpr int kNothingMeasured = 5;
/** The control document is missing or differs from the announced one. */
inline constexpr int kBadControl = 6;

/** The options of the command line. */
struct Arguments {
  RunOptions run;
  DocumentOptions document;
  /** Each case with its kernel; empty where a control document has the cases. */
  std::vector<Json> cases;
  std::string control, control_sha256;
  /** The result file; empty for only a table on standard output. */
  std::string out;
  /** File for NDJSON with a line for each case as soon as it is done; empty for none. */
  std::string rows;
  bool limits = true;
  /** How many rounds of all cases to run; more than one only for a table. */
  int cycles = 1;
  /** The seed; without one, it is drawn at random. */
  std::optional<std::uint64_t> check_seed;
  /** mpi, nccl, rccl or an adapter. */
  std::string backend = "mpi";
};

/**
 * Fills in the arguments. Returns a code to exit with after --help, --version and mistakes, for which it
 * prints a message.
 */
std::optional<int> parse_arguments(int argc, char** argv, Arguments& arguments);

}  // namespace nightsweep
