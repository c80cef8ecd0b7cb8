#pragma once
#include <optional>
#include <string>

#include "json.hpp"
#include "transport.hpp"

namespace nightsweep {

/** The environment by allow-list: what controls the kernels, and nothing that could be a secret. */
Json allowed_environment();

std::string program_version();

/**
 * Why the BLAS does not use the processor fully; empty where its kernels fit the processor, or are unknown.
 */
std::optional<std::string> blas_warning();

/**
 * Software and machine: program, transport, BLAS, operating system, processor, governor, pages, each as it
 * reports itself. Probed once; null where unknown.
 */
Json probed(Transport& transport);

/**
 * How often this host's processors were throttled for heat since it started; null where the kernel does not
 * say.
 */
Json throttle_count();

}  // namespace nightsweep
