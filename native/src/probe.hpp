#pragma once
#include <nlohmann/json.hpp>

namespace nightsweep {

/** The environment by allow-list: what steers the kernels, and nothing that could be a secret. */
nlohmann::ordered_json allowed_environment();

/** The BLAS by its own word, such as "OpenBLAS 0.3.21 ... Haswell". */
std::string blas_library();

std::string program_version();

}  // namespace nightsweep
