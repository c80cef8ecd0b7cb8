#pragma once
#include <vector>

#include "runner.hpp"

namespace nightsweep {

/** What is said around the cases. */
struct DocumentOptions {
  Fault fault = Fault::none;
  /** Names of hosts become the first 12 digits of the SHA-256 of salt and name. */
  bool hash_hosts = false;
  std::string salt = {};
};

/** The document of a run: where, with what, the limits, the cases, and a line through each series that allows
 * one. */
Json result_document(Transport& transport, const DocumentOptions& options,
                     const std::vector<CaseResult>& results, const std::optional<Limits>& limits);

}  // namespace nightsweep
