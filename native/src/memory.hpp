#pragma once
#include <cstddef>
#include <functional>

#include "transport.hpp"

namespace nightsweep {

/** The share of a host's available memory that all its ranks may use together. */
inline constexpr double kMemoryShare = 0.8;

/**
 * Throws Dropped, with the limit, where the bytes of all ranks on this host exceed the available memory.
 * Called once per case. In doubles, since a product of sizes may overflow std::size_t.
 */
void hold_memory(Transport& transport, double bytes);

/**
 * Allocates memory that a single rank may lack, for instance on a device: if so, throws Dropped with its
 * reason on every rank, since the others would wait for it in the next collective operation. Collective.
 */
void allocate_together(Transport& transport, const std::function<void()>& allocate);

}  // namespace nightsweep
