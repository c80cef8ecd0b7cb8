#pragma once
// CUDA with NCCL and HIP with RCCL are the same interface with two sets of names; NIGHTSWEEP_CUDA or
// NIGHTSWEEP_HIP chooses. RCCL uses NCCL's names itself. NIGHTSWEEP_CCL: the collectives library was found
// too; NIGHTSWEEP_BLASLT: cuBLASLt or hipBLASLt was found.
#if defined(NIGHTSWEEP_CUDA)
#include <cuda_runtime_api.h>
#define NIGHTSWEEP_GPU(name) cuda##name
#if defined(NIGHTSWEEP_CCL)
#include <nccl.h>
#endif
#elif defined(NIGHTSWEEP_HIP)
#include <hip/hip_runtime_api.h>
#define NIGHTSWEEP_GPU(name) hip##name
#if defined(NIGHTSWEEP_CCL)
#include <rccl/rccl.h>
#endif
#endif

#if defined(NIGHTSWEEP_GPU)
#include <string>

#include "errors.hpp"

namespace nightsweep {

using GpuError = NIGHTSWEEP_GPU(Error_t);
using GpuStream = NIGHTSWEEP_GPU(Stream_t);
using GpuEvent = NIGHTSWEEP_GPU(Event_t);
#if defined(NIGHTSWEEP_CUDA)
using GpuProperties = cudaDeviceProp;
#else
using GpuProperties = hipDeviceProp_t;
#endif

/** Throws TransportError with the attempted action and the runtime's message. */
inline void check_gpu(GpuError error, const char* what) {
  if (error == NIGHTSWEEP_GPU(Success)) return;
  throw TransportError(std::string(what) + ": " + NIGHTSWEEP_GPU(GetErrorString)(error), false);
}

}  // namespace nightsweep
#endif
