#pragma once
#include <optional>
#include <string>

#include "json.hpp"
#include "transport.hpp"

namespace nightsweep {

/** The environment by allow-list: what steers the kernels, and nothing that could be a secret. */
Json allowed_environment();

std::string program_version();

/** What the BLAS does not make of the processor; nothing where its kernels are the processor's, or unknown.
 */
std::optional<std::string> blas_warning();

/**
 * What ran and on what: program, transport and BLAS by their own word, operating system, processor, governor,
 * pages. Each is asked once; what cannot be told is null.
 */
Json probed(Transport& transport);

/** Times that this host's processors were throttled for heat since it started; null where the kernel does not
 * tell. */
Json throttle_count();

}  // namespace nightsweep
