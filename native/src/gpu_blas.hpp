#pragma once
// cuBLASLt and hipBLASLt are the same interface with two sets of names, like the runtimes in gpu_runtime.hpp.
#if defined(NIGHTSWEEP_BLASLT)
#if defined(NIGHTSWEEP_CUDA)
#include <cublasLt.h>
#define NIGHTSWEEP_LT(name) cublasLt##name
#define NIGHTSWEEP_LT_(name) CUBLASLT_##name
#define NIGHTSWEEP_BLAS_(name) CUBLAS_##name
#define NIGHTSWEEP_TYPE_(name) CUDA_##name
using BlasStatus = cublasStatus_t;
using BlasOperation = cublasOperation_t;
using ComputeType = cublasComputeType_t;
using DataType = cudaDataType_t;
#else
#include <hipblaslt/hipblaslt.h>
#define NIGHTSWEEP_LT(name) hipblasLt##name
#define NIGHTSWEEP_LT_(name) HIPBLASLT_##name
#define NIGHTSWEEP_BLAS_(name) HIPBLAS_##name
#define NIGHTSWEEP_TYPE_(name) HIP_##name
using BlasStatus = hipblasStatus_t;
using BlasOperation = hipblasOperation_t;
using ComputeType = hipblasComputeType_t;
using DataType = hipDataType;
#endif
#endif
