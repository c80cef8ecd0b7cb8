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
 * What lies inside a dispatch's timed window, besides moving the copies. `layout_and_dispatch`: finding out
 * who gets what, and telling the receivers how much. `cached_layout`: nothing, both are known from before.
 * `runtime_visible`: also quantising, and sorting what was received by expert, as a runtime must wait for
 * both.
 */
enum class EpContract { layout_and_dispatch, cached_layout, runtime_visible };

EpContract parse_ep_contract(const std::string& text);

/** Counts up when what lies inside a contract's windows changes; part of the identity. */
inline constexpr int kEpContractVersion = 1;

/**
 * How copies are moved: by the library's all-to-allv; in rounds with a fixed number of peers at once; by
 * whichever of these was fastest in a trial before the measurement; or to and from all peers at once. A
 * pipeline moves them in the last way or in rounds, the same in each of its variants.
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
  /** Slots beyond one an expert, for balancing; 0 for none. */
  int redundant = 0;
  EpMode mode = EpMode::normal;
  EpContract contract = EpContract::layout_and_dispatch;
  WireDtype dispatch = WireDtype::bf16;
  WireDtype combine = WireDtype::bf16;
  EpResource resource = EpResource::library;
  /** Peers at once where the resource is fixed. */
  int budget = 0;
  Activation activation = Activation::normal;
  /** Consecutive ranks that are declared to be one node, or one domain; 0: a node is a host, a domain a node.
   * They say what is counted as near and far, and move nothing. */
  int gpus_per_node = 0;
  int scale_up_domain = 0;
};

/** The axes, as identities name them. */
std::vector<Parameter> ep_parameters();

/** From a whole identity. Throws BadCase for values that contradict each other. */
EpOptions ep_options(const Json& identity);

}  // namespace nightsweep
