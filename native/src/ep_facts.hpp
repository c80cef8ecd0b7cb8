#pragma once
#include "ep_case.hpp"
#include "json.hpp"

namespace nightsweep {

/** Where a rank's copies go, by the declared topology; each copy is counted once. */
struct Distances {
  std::size_t self = 0, node = 0, domain = 0, beyond = 0;
};

Distances distances_of(const SendLayout& layout, int rank, int gpus_per_node, int scale_up_domain);

/** What a case moves, over all ranks: fan-out, copies near and far, bytes, imbalance. Collective. */
Json ep_facts(Transport& transport, const EpCase& the_case);

}  // namespace nightsweep
