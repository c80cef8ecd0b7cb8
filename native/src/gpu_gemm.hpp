#pragma once
#include <memory>

#include "kernel.hpp"

namespace nightsweep {

/**
 * The product of a case on the transport's device. Throws Unsupported where its library does not support it.
 */
std::unique_ptr<Kernel> gpu_gemm(const Run& run, const Json& identity);

}  // namespace nightsweep
