#pragma once
#include <memory>
#include <string>

#include "transport.hpp"

namespace nightsweep {

/**
 * The data plane of a library behind adapters/nightsweep_adapter.h, over the control plane. Throws
 * Unsupported, with the reason, where there is no such library, or it has another version or moves other
 * memory. Collective.
 * @param memory the transport of the GPU whose memory and clock are used; null for the host's
 */
std::unique_ptr<Transport> adapter_transport(const std::string& name, Transport& control,
                                             std::unique_ptr<Transport> memory);

}  // namespace nightsweep
