#pragma once
#include <string>

namespace nightsweep {

/**
 * Whether the name can be an adapter's: letters, digits and '-', but not one of the program's own backends.
 */
bool is_adapter(const std::string& name);

/** Whether the name can be a backend's: "mpi", "nccl", "rccl", or an adapter's. */
bool is_backend(const std::string& name);

/**
 * The device that holds a backend's data: "cuda" or "hip"; empty for the host. Adapters for GPU memory have
 * names that end in "-cuda" or "-hip".
 */
std::string device_of_backend(const std::string& name);

}  // namespace nightsweep
