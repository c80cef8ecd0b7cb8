#pragma once
#include "kernel.hpp"

namespace nightsweep {

/** A transformer layer, tensor-parallel. */
KernelKind tp_layer_kind();

}  // namespace nightsweep
