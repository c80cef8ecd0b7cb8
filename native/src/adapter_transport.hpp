#pragma once
#include <memory>
#include <string>

#include "transport.hpp"

namespace nightsweep {

/**
 * The data plane of a library behind adapters/nightsweep_adapter.h, over the control plane. Throws
 * Unsupported, with the reason, where there is no such library, it is of another version, or it moves other
 * memory. Collective.
 *
 * @param memory whose buffers it moves, by whose clock: a GPU's; null for the host's
 */
std::unique_ptr<Transport> adapter_transport(const std::string& name, Transport& control,
                                             std::unique_ptr<Transport> memory);

}  // namespace nightsweep
