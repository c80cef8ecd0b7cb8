#pragma once
#include "ep_locality.hpp"
#include "ep_round.hpp"
#include "json.hpp"

namespace nightsweep {

/** How far a rank's copies go; each copy is counted once. */
struct Distances {
  std::size_t self = 0, node = 0, domain = 0, beyond = 0;
};

Distances distances_of(const SendLayout& layout, int rank, const Locality& locality);

/** The resources of a case as it got them, for comparison with the requested ones. */
Json ep_realised(const EpOptions& options, const ExchangePath& path);

/** What a case moves, over all ranks: fan-out, near and far copies, bytes, imbalance. Collective. */
Json ep_facts(Transport& transport, const EpRound& round, const std::string& path);

}  // namespace nightsweep
