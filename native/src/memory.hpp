#pragma once
#include <cstddef>
#include <functional>

#include "transport.hpp"

namespace nightsweep {

/** Of a host's available memory, what all ranks on it may use together. */
inline constexpr double kMemoryShare = 0.8;

/** Throws Dropped, naming the cap, where the bytes of every rank on this host exceed what it has. Asked once
 * a case. In doubles, since a product of sizes may be no std::size_t. */
void hold_memory(Transport& transport, double bytes);

/** Allocates what a rank may lack alone, on a device say: throws Dropped with its reason on every rank, since
 * the others would wait for it in the next collective operation. Collective. */
void allocate_together(Transport& transport, const std::function<void()>& allocate);

}  // namespace nightsweep
