#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nightsweep {

/**
 * How experts are chosen: `uniform` any distinct experts; `balanced` every expert equally often, with
 * consecutive choices on consecutive ranks; `balanced_rank_local` equally often too, but all of a token's
 * experts on one rank; `zipf` expert e with probability proportional to 1/(e+1); `hotspot_single` expert 0
 * for every token, the others uniform.
 */
enum class Routing { uniform, balanced, balanced_rank_local, zipf, hotspot_single };

Routing parse_routing(const std::string& text);
std::string to_string(Routing routing);

/** How tokens spread over ranks, with the same mean: equally; in proportion to rank + 1; none on the last
 * rank. */
enum class TokenSpread { even, linear, empty_rank };

TokenSpread parse_token_spread(const std::string& text);
std::string to_string(TokenSpread spread);

/** Tokens by rank. */
std::vector<std::size_t> tokens_by_rank(TokenSpread spread, std::size_t tokens_per_rank, int ranks);

struct RoutingOptions {
  Routing routing = Routing::uniform;
  int ranks = 1;
  int experts = 256;
  int topk = 8;
  /** The seed: the same step always has the same routing. */
  std::uint64_t step = 0;
};

/**
 * The choices of one rank's tokens: topk distinct experts for each token, and their weights, which sum to 1.
 */
struct Routes {
  int topk = 0;
  std::vector<std::int32_t> experts;
  std::vector<float> weights;

  [[nodiscard]] std::size_t tokens() const { return experts.size() / static_cast<std::size_t>(topk); }
  [[nodiscard]] std::span<const std::int32_t> experts_of(std::size_t token) const;
  [[nodiscard]] std::span<const float> weights_of(std::size_t token) const;
};

/**
 * The choices of the rank's tokens.
 * @param tokens by rank, for all ranks
 * @throws std::invalid_argument where topk, experts and ranks do not allow the routing
 */
Routes routes_of(const RoutingOptions& options, int rank, const std::vector<std::size_t>& tokens);

/** Choices by expert, over the tokens of all ranks. */
std::vector<double> expert_loads(const RoutingOptions& options, const std::vector<std::size_t>& tokens);

/**
 * The mean number of distinct ranks that a uniformly routed token reaches, with experts spread equally over
 * ranks.
 */
double expected_uniform_fan_out(int ranks, int experts, int topk);

}  // namespace nightsweep
