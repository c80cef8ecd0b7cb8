#pragma once
// CUDA with NCCL and HIP with RCCL are one interface under two sets of names; NIGHTSWEEP_CUDA or
// NIGHTSWEEP_HIP chooses. RCCL bears NCCL's names itself. NIGHTSWEEP_CCL: the collectives library was found
// as well.
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
