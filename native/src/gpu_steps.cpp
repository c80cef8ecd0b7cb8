// Compiled by the device's compiler in a GPU build; else by the host's, and then steps run immediately.
#include "errors.hpp"
#include "gpu_ep_steps.hpp"
#include "gpu_tp_steps.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#elif defined(__HIPCC__)
#include <hip/hip_runtime.h>
#endif

namespace nightsweep {

#if defined(__CUDACC__) || defined(__HIPCC__)

constexpr unsigned kThreads = 256;
/** Beyond this, each thread handles several indices; so many blocks suffice for any device. */
constexpr std::size_t kMostBlocks = 65535;

template <typename Step>
__global__ void run(Step step, std::size_t count) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += threads) {
    step(i);
  }
}

template <typename Step>
void enqueue(void* stream, std::size_t count, const Step& step) {
  if (count == 0) return;
  const std::size_t needed = (count + kThreads - 1) / kThreads;
  const auto blocks = static_cast<unsigned>(needed < kMostBlocks ? needed : kMostBlocks);
#if defined(__CUDACC__)
  run<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(step, count);
  const bool started = cudaGetLastError() == cudaSuccess;
#else
  run<<<blocks, kThreads, 0, static_cast<hipStream_t>(stream)>>>(step, count);
  const bool started = hipGetLastError() == hipSuccess;
#endif
  if (!started) throw TransportError("a step did not start on the device", false);
}

#elif !defined(NIGHTSWEEP_OWN_ENQUEUE)

template <typename Step>
void enqueue(void* /*stream*/, std::size_t count, const Step& step) {
  for (std::size_t i = 0; i < count; ++i) step(i);
}

#endif

template void enqueue(void*, std::size_t, const ChooseSlots&);
template void enqueue(void*, std::size_t, const CountCopies&);
template void enqueue(void*, std::size_t, const ScanStretches&);
template void enqueue(void*, std::size_t, const ScanTotals&);
template void enqueue(void*, std::size_t, const FillCopies&);
template void enqueue(void*, std::size_t, const PackRows<Quad>&);
template void enqueue(void*, std::size_t, const PackRows<std::uint32_t>&);
template void enqueue(void*, std::size_t, const QuantiseRows&);
template void enqueue(void*, std::size_t, const ApplyToCopies&);
template void enqueue(void*, std::size_t, const CountRows&);
template void enqueue(void*, std::size_t, const FillRows&);
template void enqueue(void*, std::size_t, const UnpackRows&);
template void enqueue(void*, std::size_t, const ApplyToRows&);
template void enqueue(void*, std::size_t, const GatherRows&);
template void enqueue(void*, std::size_t, const SumUp&);
template void enqueue(void*, std::size_t, const SumScores&);
template void enqueue(void*, std::size_t, const SoftenScores&);
#define NIGHTSWEEP_STEPS_OF(T)                                        \
  template void enqueue(void*, std::size_t, const SumSquares<T>&);    \
  template void enqueue(void*, std::size_t, const DivideRows<T>&);    \
  template void enqueue(void*, std::size_t, const RotateAndKeep<T>&); \
  template void enqueue(void*, std::size_t, const Score<T>&);         \
  template void enqueue(void*, std::size_t, const Attend<T>&);        \
  template void enqueue(void*, std::size_t, const Gate<T>&);          \
  template void enqueue(void*, std::size_t, const Add<T>&);
NIGHTSWEEP_STEPS_OF(float)
NIGHTSWEEP_STEPS_OF(f16)
NIGHTSWEEP_STEPS_OF(bf16)

}  // namespace nightsweep
