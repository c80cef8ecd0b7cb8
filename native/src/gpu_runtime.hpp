#pragma once
// CUDA with NCCL and HIP with RCCL are one interface under two sets of names; NIGHTSWEEP_CUDA or
// NIGHTSWEEP_HIP chooses. RCCL bears NCCL's names itself. NIGHTSWEEP_CCL: the collectives library was found
// as well; NIGHTSWEEP_BLASLT: cuBLASLt or hipBLASLt was.
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

/** Throws TransportError with what was tried and the runtime's words. */
inline void check_gpu(GpuError error, const char* what) {
  if (error == NIGHTSWEEP_GPU(Success)) return;
  throw TransportError(std::string(what) + ": " + NIGHTSWEEP_GPU(GetErrorString)(error), false);
}

}  // namespace nightsweep
#endif
