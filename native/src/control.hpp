#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner.hpp"

namespace nightsweep {

/** The cases for a job, as written by its master. */
struct Control {
  Sampling sampling;
  /** Time limit for one case's trials; empty for no limit. */
  std::optional<double> case_seconds;
  /** The required number of ranks; empty for any number. */
  std::optional<int> ranks;
  /** In order; each with its kernel. */
  std::vector<Json> cases;
};

/**
 * Reads a control document with exactly the announced SHA-256. Throws BadControl where it is missing,
 * different, of another schema or metric contract, invalid or without cases: there is no default.
 */
Control read_control(const std::filesystem::path& file, const std::string& sha256_announced);

/** The same for its text. */
Control parse_control(const std::string& text, const std::string& sha256_announced);

}  // namespace nightsweep
