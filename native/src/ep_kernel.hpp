#pragma once
#include <cstddef>
#include <vector>

#include "ep_options.hpp"
#include "kernel.hpp"

namespace nightsweep {

/** Expert-parallel dispatch and combine; and the same around real experts, in micro-batches. */
KernelKind ep_kind();
KernelKind ep_pipeline_kind();

/** An upper bound of what one rank allocates for a round, with so many tokens by rank. */
double ep_bytes(const EpOptions& options, const std::vector<std::size_t>& tokens);

}  // namespace nightsweep
