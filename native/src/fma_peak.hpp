#pragma once
#include "dtype.hpp"

namespace nightsweep {

/**
 * Floating-point operations per second that this many threads reach together with multiply-adds on registers:
 * the best of several short runs with the widest vectors of this processor. 0 for dtypes without such
 * instructions.
 */
double fma_peak(Dtype dtype, int threads);

}  // namespace nightsweep
