#pragma once
#include <cstddef>

// A step is what a GPU does for each index of a range: a small object of plain numbers and pointers to device
// memory. Its call operator runs on the device and on the host, so that the arithmetic can be tested without
// a GPU. Steps are enqueued by type in gpu_steps.cpp, which a device compiler compiles in a GPU build.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define NIGHTSWEEP_STEP __host__ __device__
#else
#define NIGHTSWEEP_STEP
#endif

namespace nightsweep {

/**
 * Runs the step for every index below count, in any order.
 * @param stream the runtime's stream; null: immediately, on the host
 */
template <typename Step>
void enqueue(void* stream, std::size_t count, const Step& step);

}  // namespace nightsweep
