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

  /** Short and lasting, such as "ep-experts-per-rank". */
  std::string id;
  std::vector<std::string> kernels;
  /** Of "mpi", "nccl" and "rccl", and for any other name "adapters" or "device adapters"; empty for all. */
  std::vector<std::string> backends;
  Verdict verdict;
  std::string reason;
  /** Of a whole identity. */
  std::function<bool(const Json& identity)> applies;

  [[nodiscard]] bool is_about(const std::string& kernel, const std::string& backend) const;
};

/** All rules (capability_rules.cpp); where several apply, the first tells. */
const std::vector<CapabilityRule>& capability_rules();

/** The rule that speaks against a whole identity, if there is one. */
const CapabilityRule* rule_against(const Json& identity);

/** Throws Unsupported or Dropped with the reason of the rule against it. */
void hold_capability(const Json& identity);

/**
 * Answers for cases before any job: an array in which each has its identity, its id, "verdict" (runnable,
 * unsupported or dropped), where it is not runnable "rule" and "reason", and where it is "fixedSeconds" and
 * "roundSeconds", its projection.
 *
 * @param cases an array of objects with "kernel", "backend", "ranks", "sampling" where it is not the default,
 * and the kernel's parameters, defaults left out
 * @param divisor of the sizes of each, for a rehearsal; 1 as they are
 * @throws BadCase for what is no case
 */
Json capabilities_of(const Json& cases, int divisor = 1);

/** The rules without cases: id, kernels, backends, verdict and reason of each. */
Json described_rules();

}  // namespace nightsweep
