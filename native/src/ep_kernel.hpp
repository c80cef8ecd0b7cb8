#pragma once
#include <cstddef>
#include <vector>

#include "ep_options.hpp"
#include "kernel.hpp"

namespace nightsweep {

/** Expert-parallel dispatch and combine; and the same with real experts, in micro-batches. */
KernelKind ep_kind();
KernelKind ep_pipeline_kind();

/** An upper bound on one rank's memory for a round, with this many tokens by rank. */
double ep_bytes(const EpOptions& options, const std::vector<std::size_t>& tokens);

}  // namespace nightsweep
