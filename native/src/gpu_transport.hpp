#pragma once
#include <memory>
#include <string>

#include "transport.hpp"

namespace nightsweep {

/**
 * The backend's transport over the control plane. Throws Unsupported, with the reason, where this build has
 * not its libraries or this host not as many GPUs as ranks. Collective.
 *
 * @param patience_seconds how long a wait for the GPU may last before it ends in a TransportError
 */
std::unique_ptr<Transport> gpu_transport(const std::string& backend, Transport& control,
                                         double patience_seconds);

/**
 * A rank's GPU for a data plane of somebody else's: its memory, its stream and its clock, over the control
 * plane. Throws Unsupported where this build is for no such device ("cuda" or "hip"), or not every rank has
 * one. Collective.
 */
std::unique_ptr<Transport> gpu_memory(const std::string& device, Transport& control, double patience_seconds);

}  // namespace nightsweep
