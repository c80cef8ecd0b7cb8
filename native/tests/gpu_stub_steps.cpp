// Steps on the host: run at once, or recorded if the stream is being captured, as on a device.
#include "gpu_step.hpp"
#include "gpu_stub.hpp"

namespace nightsweep {

template <typename Step>
void enqueue(void* /*stream*/, std::size_t count, const Step& step) {
  stub::call([count, step] {
    for (std::size_t i = 0; i < count; ++i) step(i);
  });
}

}  // namespace nightsweep

#define NIGHTSWEEP_OWN_ENQUEUE
#include "gpu_steps.cpp"
