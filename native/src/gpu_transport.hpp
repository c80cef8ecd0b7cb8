#pragma once
#include <memory>
#include <string>

#include "transport.hpp"

namespace nightsweep {

/**
 * The backend's transport over the control plane. Throws Unsupported, with the reason, where this build lacks
 * its libraries or this host has fewer GPUs than ranks. Collective.
 * @param patience_seconds how long a wait for the GPU may last before it throws TransportError
 */
std::unique_ptr<Transport> gpu_transport(const std::string& backend, Transport& control,
                                         double patience_seconds);

/**
 * A rank's GPU for a foreign data plane: its memory, stream and clock, over the control plane. Throws
 * Unsupported where this build is not for this device ("cuda" or "hip"), or some rank has none. Collective.
 */
std::unique_ptr<Transport> gpu_memory(const std::string& device, Transport& control, double patience_seconds);

}  // namespace nightsweep
