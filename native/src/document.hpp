#pragma once
#include <vector>

#include "runner.hpp"

namespace nightsweep {

/** Options for the document's general part. */
struct DocumentOptions {
  Fault fault = Fault::none;
  /** Replaces each host name by the first 12 digits of the SHA-256 of salt and name. */
  bool hash_hosts = false;
  std::string salt = {};
};

/**
 * The document of a run: machine, software, limits, cases, and a line fit for each series that allows one.
 */
Json result_document(Transport& transport, const DocumentOptions& options,
                     const std::vector<CaseResult>& results, const std::optional<Limits>& limits);

}  // namespace nightsweep
