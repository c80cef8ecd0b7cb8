#pragma once
// A GPU's runtime (gpu_stub_runtime.cpp), NCCL or RCCL (gpu_stub_collectives.cpp) and cuBLASLt or hipBLASLt
// (gpu_stub_products.cpp) on the host, behind the vendor's own headers: every call that the program makes
// does here, at once, what it does on a GPU later. With them the tests run the whole GPU program over MPI,
// checks included. What one GPU cannot show, it is told by the environment: STUB_GPUS devices a host, or as a
// launcher tells it, CUDA_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES; STUB_GRAPHS (calls are recorded as a graph
// records them), STUB_ASYNC_ERROR (the communicator has failed), STUB_HANG (nothing gets done any more).
#include <functional>

namespace stub {

/** Does it now, or notes it where the stream is being captured. */
void call(std::function<void()> what);

/** Whether the environment has such a variable. */
bool told(const char* name);

int own_rank();

}  // namespace stub
