#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ep_layout.hpp"
#include "ep_placement.hpp"
#include "ep_routing.hpp"
#include "ep_tokens.hpp"
#include "kernel.hpp"

namespace nightsweep {

/**
 * What a dispatch's timed window contains besides moving the copies. `layout_and_dispatch`: computing who
 * gets what, and telling the receivers how much. `cached_layout`: nothing, both are known already.
 * `runtime_visible`: also quantising, and sorting the received copies by expert, since a runtime must wait
 * for both.
 */
enum class EpContract { layout_and_dispatch, cached_layout, runtime_visible };

EpContract parse_ep_contract(const std::string& text);

/** Increases when the content of a contract's windows changes; part of the identity. */
inline constexpr int kEpContractVersion = 1;

/**
 * How copies are moved: by the library's all-to-allv; in rounds with a fixed number of simultaneous peers; by
 * the fastest of these in a trial before the measurement; or with all peers at once. A pipeline uses the last
 * way or rounds, the same in each of its variants.
 */
enum class EpResource { library, fixed, tuned, pairwise };

EpResource parse_ep_resource(const std::string& text);

/** One case of expert-parallel dispatch and combine. */
struct EpOptions {
  std::size_t tokens = 128;
  std::size_t hidden = 7168;
  TokenSpread spread = TokenSpread::even;
  RoutingOptions routing = {};
  PlacementKind placement = PlacementKind::packed;
  /** Slots in addition to one for each expert, for balancing; 0 for none. */
  int redundant = 0;
  EpMode mode = EpMode::normal;
  EpContract contract = EpContract::layout_and_dispatch;
  WireDtype dispatch = WireDtype::bf16;
  WireDtype combine = WireDtype::bf16;
  EpResource resource = EpResource::library;
  /** Simultaneous peers where the resource is fixed. */
  int budget = 0;
  Activation activation = Activation::normal;
  /**
   * How many consecutive ranks are declared to be one node, or one domain; 0: a node is a host, a domain a
   * node. They only affect what counts as near and far.
   */
  int gpus_per_node = 0;
  int scale_up_domain = 0;
};

/** The axes, with their names in identities. */
std::vector<Parameter> ep_parameters();

/** Options from a whole identity. Throws BadCase for contradictory values. */
EpOptions ep_options(const Json& identity);

}  // namespace nightsweep
