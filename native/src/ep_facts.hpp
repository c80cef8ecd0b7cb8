#pragma once
#include "ep_locality.hpp"
#include "ep_round.hpp"
#include "json.hpp"

namespace nightsweep {

/** Where a rank's copies go; each copy is counted once. */
struct Distances {
  std::size_t self = 0, node = 0, domain = 0, beyond = 0;
};

Distances distances_of(const SendLayout& layout, int rank, const Locality& locality);

/** The resources that a case was asked for, as it got them. */
Json ep_realised(const EpOptions& options, const ExchangePath& path);

/** What a case moves, over all ranks: fan-out, copies near and far, bytes, imbalance. Collective. */
Json ep_facts(Transport& transport, const EpRound& round, const std::string& path);

}  // namespace nightsweep
