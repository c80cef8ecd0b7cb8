#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"

namespace nightsweep {

/** Why a combination of values cannot be measured. */
struct CapabilityRule {
  enum class Verdict { unsupported, dropped };

  /** A short, stable name, such as "ep-experts-per-rank". */
  std::string id;
  std::vector<std::string> kernels;
  /** "mpi", "nccl" and "rccl"; "adapters" or "device adapters" for any other name; empty for all. */
  std::vector<std::string> backends;
  Verdict verdict;
  std::string reason;
  /** Whether the rule applies to a whole identity. */
  std::function<bool(const Json& identity)> applies;

  [[nodiscard]] bool is_about(const std::string& kernel, const std::string& backend) const;
};

/** All rules (capability_rules.cpp); if several apply, the first one counts. */
const std::vector<CapabilityRule>& capability_rules();

/** The rule that excludes a whole identity, if there is one. */
const CapabilityRule* rule_against(const Json& identity);

/** Throws Unsupported or Dropped with the reason of the rule that excludes it. */
void hold_capability(const Json& identity);

/**
 * Checks cases before any job. Returns an array with an object for each case: its identity, its id, and
 * "verdict" (runnable, unsupported or dropped); if it is not runnable, "rule" and "reason"; if it is,
 * "fixedSeconds" and "roundSeconds", its projection.
 * @param cases an array of objects with "kernel", "backend", "ranks", "sampling" where it is not the default,
 * and the kernel's parameters, defaults left out
 * @param divisor of the sizes, for a rehearsal; 1 for no change
 * @throws BadCase for an invalid case
 */
Json capabilities_of(const Json& cases, int divisor = 1);

/** The rules without cases: id, kernels, backends, verdict and reason of each. */
Json described_rules();

}  // namespace nightsweep
