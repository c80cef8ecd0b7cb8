#pragma once
#include <memory>
#include <string>

#include "transport.hpp"

namespace nightsweep {

/** Whether a backend of this name is an adapter's: letters, digits and '-', and none of the program's own. */
bool is_adapter(const std::string& name);

/**
 * The data plane of a library behind adapters/nightsweep_adapter.h, over the control plane. Throws
 * Unsupported, with the reason, where there is no such library or it is of another version. Collective.
 */
std::unique_ptr<Transport> adapter_transport(const std::string& name, Transport& control);

}  // namespace nightsweep
