#pragma once
#include <string>

namespace nightsweep {

/** SHA-256 in lower-case hexadecimal digits. */
std::string sha256(const std::string& data);

}  // namespace nightsweep
