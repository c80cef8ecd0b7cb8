#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "kernel.hpp"
#include "limits.hpp"

namespace nightsweep {

inline constexpr int kSchema = 2;

/** How a case ended; each case has exactly one disposition. */
enum class Disposition { measured, failed, dropped, unsupported };

std::string to_string(Disposition disposition);

/**
 * One case from its identity to its record: a failure has the same fields as a success, with nulls for
 * figures.
 */
struct CaseResult {
  Json identity;
  Sampling sampling;
  Disposition disposition = Disposition::failed;
  std::string reason = {};
  std::optional<long> wrong = {};
  Json requested = Json::object();
  Json realised = Json::object();
  Json facts = Json::object();
  std::vector<Component> components = {};
  /** As many as components, or empty. */
  std::vector<Samples> samples = {};
  /**
   * Whether a round trip's p99 is above three times the sum of the parts'; empty where there is no round
   * trip.
   */
  std::optional<bool> anomaly = {};

  [[nodiscard]] Json record(const std::optional<Limits>& limits) const;
};

/** Writes a file atomically: a temporary file, fsynced, linked. Throws if the name exists. */
void publish(const std::filesystem::path& file, const std::string& text);

/** Appends a line and fsyncs it. */
void append(const std::filesystem::path& file, const std::string& line);

}  // namespace nightsweep
