#pragma once
#include "dtype.hpp"

namespace nightsweep {

/**
 * Floating-point operations a second that so many threads reach together with multiply-adds on registers
 * alone: the best of several short runs over the widest vectors that this processor has. 0 for dtypes without
 * such instructions.
 */
double fma_peak(Dtype dtype, int threads);

}  // namespace nightsweep
