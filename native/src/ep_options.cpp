#include "ep_options.hpp"

#include <limits>

#include "errors.hpp"

namespace nightsweep {
namespace {

using Type = Parameter::Type;

/** Limit on experts: every rank has tables of all of them, allocated before the check of its memory. */
constexpr int kMostExperts = 1 << 20;

Parameter number(const char* name, const char* option, int fallback, const char* help, int least = 1,
                 int most = std::numeric_limits<int>::max()) {
  return {
      name, option, Type::integer, fallback, help, {}, static_cast<double>(least), static_cast<double>(most)};
}

Parameter choice(const char* name, const char* option, std::vector<std::string> allowed, const char* help) {
  const std::string first = allowed.front();
  return {name, option, Type::text, first, help, std::move(allowed)};
}

}  // namespace

EpContract parse_ep_contract(const std::string& text) {
  if (text == "layout-and-dispatch") return EpContract::layout_and_dispatch;
  if (text == "cached-layout") return EpContract::cached_layout;
  if (text == "runtime-visible") return EpContract::runtime_visible;
  throw BadCase("no contract '" + text + "'; expected layout-and-dispatch, cached-layout or runtime-visible");
}

EpResource parse_ep_resource(const std::string& text) {
  if (text == "library") return EpResource::library;
  if (text == "fixed") return EpResource::fixed;
  if (text == "tuned") return EpResource::tuned;
  if (text == "pairwise") return EpResource::pairwise;
  throw BadCase("no resource '" + text + "'; expected library, fixed, tuned or pairwise");
}

std::vector<Parameter> ep_parameters() {
  return {
      number("tokens", "--tokens", 128, "tokens per rank: decode 1 to 512, prefill 128 to 8192"),
      choice("phase", "--phase", {"decode", "prefill"}, "which ladder the tokens are of"),
      choice("tokenSpread", "--token-spread", {"even", "linear", "empty-rank"},
             "how tokens spread over ranks"),
      number("hidden", "--hidden", 7168, "elements of a token"),
      number("experts", "--experts", 256, "experts over all ranks", 1, kMostExperts),
      number("topk", "--topk", 8, "experts of a token"),
      choice("routing", "--routing", {"uniform", "balanced", "balanced-rank-local", "zipf", "hotspot-single"},
             "how tokens choose experts"),
      number("step", "--step", 0, "routing step, the seed", 0),
      choice("placement", "--placement", {"packed", "striped", "adversarial"},
             "which nodes blocks of experts are on"),
      number("redundantExperts", "--redundant-experts", 0, "slots that load balancing may give away; 0: none",
             0, kMostExperts),
      choice("mode", "--mode", {"normal", "low-latency"}, "one copy a rank, or one an expert"),
      choice("contract", "--contract", {"layout-and-dispatch", "cached-layout", "runtime-visible"},
             "what the timed window holds"),
      number("contractVersion", "--contract-version", kEpContractVersion, "of the contract"),
      choice("combineDtype", "--combine-dtype", {"bf16", "fp8"}, "how results travel back"),
      choice("resource", "--resource", {"library", "fixed", "tuned"}, "what moves the copies"),
      number("budget", "--budget", 0, "peers at once where the resource is fixed", 0),
      choice("activation", "--activation",
             {"normal", "zeros", "small-amplitude", "wide-dynamic-range", "fp8-saturation"},
             "what tokens hold"),
      number("gpusPerNode", "--gpus-per-node", 0,
             "declared: consecutive ranks that count as one node; 0: the ranks of a host do", 0),
      number("scaleUpDomain", "--scale-up-domain", 0,
             "declared: consecutive ranks that count as one domain; 0: a node does", 0),
  };
}

EpOptions ep_options(const Json& identity) {
  const auto text = [&](const char* name) { return identity.at(name).get<std::string>(); };
  const auto integer = [&](const char* name) { return identity.at(name).get<int>(); };
  EpOptions o;
  o.tokens = identity.at("tokens").get<std::size_t>();
  o.hidden = identity.at("hidden").get<std::size_t>();
  o.spread = parse_token_spread(text("tokenSpread"));
  o.routing = {parse_routing(text("routing")), integer("ranks"), integer("experts"), integer("topk"),
               identity.at("step").get<std::uint64_t>()};
  o.placement = parse_placement(text("placement"));
  o.redundant = integer("redundantExperts");
  o.mode = parse_ep_mode(text("mode"));
  o.contract = parse_ep_contract(text("contract"));
  o.dispatch = parse_wire_dtype(text("dtype"));
  o.combine = parse_wire_dtype(text("combineDtype"));
  o.resource = parse_ep_resource(text("resource"));
  o.budget = integer("budget");
  o.activation = parse_activation(text("activation"));
  o.gpus_per_node = integer("gpusPerNode");
  o.scale_up_domain = integer("scaleUpDomain");
  return o;
}

}  // namespace nightsweep
