#pragma once
#include <cstddef>

#include "transport.hpp"

namespace nightsweep {

/** Of a host's available memory, what all ranks on it may use together. */
inline constexpr double kMemoryShare = 0.8;

/** Throws Dropped, naming the cap, where the bytes of every rank on this host exceed what it has. Asked once
 * a case. In doubles, since a product of sizes may be no std::size_t. */
void hold_memory(Transport& transport, double bytes);

}  // namespace nightsweep
