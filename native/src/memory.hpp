#pragma once
#include <cstddef>

#include "transport.hpp"

namespace nightsweep {

/** Of a host's available memory, what all ranks on it may use together. */
inline constexpr double kMemoryShare = 0.8;

/** Throws Dropped, naming the cap, where the bytes of every rank on this host exceed what it has. Asked once
 * a case. */
void hold_memory(Transport& transport, std::size_t bytes);

}  // namespace nightsweep
