#pragma once
#include "kernel.hpp"

namespace nightsweep {

/** Expert-parallel dispatch and combine; and the same around real experts, in micro-batches. */
KernelKind ep_kind();
KernelKind ep_pipeline_kind();

}  // namespace nightsweep
