#pragma once
// A GPU's runtime (gpu_stub_runtime.cpp), NCCL or RCCL (gpu_stub_collectives.cpp) and cuBLASLt or hipBLASLt
// (gpu_stub_products.cpp) on the host, behind the vendor's own headers: every call that the program makes
// immediately does what a GPU does later. With these stubs the tests run the whole GPU program over MPI,
// including its checks. The environment sets what one GPU cannot show: STUB_GPUS devices per host, or as a
// launcher sets it, CUDA_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES; STUB_GRAPHS (calls are recorded as a graph
// records them), STUB_ASYNC_ERROR (the communicator has failed), STUB_HANG (no call completes any more).
#include <functional>

namespace stub {

/** Runs it now, or records it if the stream is being captured. */
void call(std::function<void()> what);

/** Whether the environment has this variable. */
bool told(const char* name);

int own_rank();

}  // namespace stub
