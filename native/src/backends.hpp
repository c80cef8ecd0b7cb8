#pragma once
#include <string>

namespace nightsweep {

/** Whether a backend of this name is an adapter's: letters, digits and '-', and none of the program's own. */
bool is_adapter(const std::string& name);

/** Whether there may be a backend of this name: "mpi", "nccl", "rccl", or an adapter's. */
bool is_backend(const std::string& name);

/**
 * What a backend's data lies on: "cuda" or "hip"; empty for the host. An adapter whose library moves a GPU's
 * memory has a name that ends in "-cuda" or "-hip".
 */
std::string device_of_backend(const std::string& name);

}  // namespace nightsweep
