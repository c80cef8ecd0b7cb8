#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner.hpp"

namespace nightsweep {

/** The cases that a job is to run, as its master wrote them down. */
struct Control {
  Sampling sampling;
  /** What one case's trials may take; nothing for no limit. */
  std::optional<double> case_seconds;
  /** What the job must have; nothing where any number will do. */
  std::optional<int> ranks;
  /** In order; each names its kernel. */
  std::vector<Json> cases;
};

/**
 * Reads a control document that has exactly the announced SHA-256. Throws BadControl where it is missing,
 * different, of another schema or metric contract, cannot be understood or has no case: there is no default
 * to fall back to.
 */
Control read_control(const std::filesystem::path& file, const std::string& sha256_announced);

/** The same from its text. */
Control parse_control(const std::string& text, const std::string& sha256_announced);

}  // namespace nightsweep
