#include "ep_routing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ep_random.hpp"

namespace nightsweep {
namespace {

constexpr std::uint64_t kChoice = 1;
constexpr std::uint64_t kWeight = 2;

constexpr std::array<std::pair<const char*, Routing>, 5> kRoutings = {{
    {"uniform", Routing::uniform},
    {"balanced", Routing::balanced},
    {"balanced-rank-local", Routing::balanced_rank_local},
    {"zipf", Routing::zipf},
    {"hotspot-single", Routing::hotspot_single},
}};

constexpr std::array<std::pair<const char*, TokenSpread>, 3> kSpreads = {{
    {"even", TokenSpread::even},
    {"linear", TokenSpread::linear},
    {"empty-rank", TokenSpread::empty_rank},
}};

using Choice = std::span<std::int32_t>;

/** Distinct numbers from first to last - 1, every set equally likely (Floyd's algorithm). */
void choose_uniform(KeyedRandom& random, int first, int last, Choice choice) {
  const int count = static_cast<int>(choice.size());
  for (int i = 0; i < count; ++i) {
    const int upper = last - count + i;
    const int drawn = first + random.below(upper - first + 1);
    const auto chosen = choice.first(static_cast<std::size_t>(i));
    choice[static_cast<std::size_t>(i)] = std::ranges::find(chosen, drawn) == chosen.end() ? drawn : upper;
  }
}

/** Weighted choice without replacement: the earliest of exponential clocks with the weights as rates. */
void choose_zipf(KeyedRandom& random, int experts, Choice choice) {
  std::vector<std::pair<double, std::int32_t>> clocks;
  clocks.reserve(static_cast<std::size_t>(experts));
  for (std::int32_t e = 0; e < experts; ++e) clocks.emplace_back(-std::log(random.uniform()) * (e + 1), e);
  std::ranges::partial_sort(clocks, clocks.begin() + static_cast<std::ptrdiff_t>(choice.size()));
  for (std::size_t i = 0; i < choice.size(); ++i) choice[i] = clocks[i].second;
}

/** Takes experts in turn so that consecutive choices alternate between ranks. */
void choose_balanced(const RoutingOptions& o, std::size_t global_token, Choice choice) {
  const auto ranks = static_cast<std::size_t>(o.ranks);
  const std::size_t local = static_cast<std::size_t>(o.experts) / ranks;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const std::size_t turn = (global_token + o.step) * choice.size() + i;
    choice[i] = static_cast<std::int32_t>(turn % ranks * local + turn / ranks % local);
  }
}

/** Takes ranks in turn, and on each rank its experts in turn. */
void choose_rank_local(const RoutingOptions& o, std::size_t global_token, Choice choice) {
  const auto ranks = static_cast<std::size_t>(o.ranks);
  const std::size_t local = static_cast<std::size_t>(o.experts) / ranks;
  const std::size_t turn = global_token + o.step;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    choice[i] = static_cast<std::int32_t>(turn % ranks * local + (turn / ranks * choice.size() + i) % local);
  }
}

void choose(const RoutingOptions& o, KeyedRandom& random, std::size_t global_token, Choice choice) {
  switch (o.routing) {
    case Routing::uniform:
      return choose_uniform(random, 0, o.experts, choice);
    case Routing::balanced:
      return choose_balanced(o, global_token, choice);
    case Routing::balanced_rank_local:
      return choose_rank_local(o, global_token, choice);
    case Routing::zipf:
      return choose_zipf(random, o.experts, choice);
    case Routing::hotspot_single:
      choice[0] = 0;
      return choose_uniform(random, 1, o.experts, choice.subspan(1));
  }
}

void weigh(KeyedRandom random, std::span<float> weights) {
  float sum = 0;
  for (float& w : weights) sum += w = static_cast<float>(0.1 + random.uniform());
  for (float& w : weights) w /= sum;
}

void require(const RoutingOptions& o) {
  if (o.ranks < 1 || o.topk < 1 || o.topk > o.experts || o.experts % o.ranks != 0) {
    throw std::invalid_argument("routing needs 1 <= topk <= experts, and experts a multiple of ranks");
  }
  if (o.routing == Routing::balanced_rank_local && o.topk > o.experts / o.ranks) {
    throw std::invalid_argument("balanced-rank-local needs topk experts on every rank");
  }
}

template <typename Table>
auto parsed(const Table& table, const std::string& text, const char* what) {
  std::string names;
  for (const auto& [name, value] : table) {
    if (text == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument("no " + std::string(what) + " '" + text + "'; expected one of " + names);
}

template <typename Table, typename Value>
std::string name_in(const Table& table, Value wanted) {
  for (const auto& [name, value] : table) {
    if (value == wanted) return name;
  }
  return "?";
}

}  // namespace

Routing parse_routing(const std::string& text) { return parsed(kRoutings, text, "routing"); }
std::string to_string(Routing routing) { return name_in(kRoutings, routing); }
TokenSpread parse_token_spread(const std::string& text) { return parsed(kSpreads, text, "token spread"); }
std::string to_string(TokenSpread spread) { return name_in(kSpreads, spread); }

std::vector<std::size_t> tokens_by_rank(TokenSpread spread, std::size_t tokens_per_rank, int ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<std::size_t> tokens(n, tokens_per_rank);
  if (spread == TokenSpread::linear) {
    // Differences of a rounded running total lose no token.
    const auto before = [&](std::size_t r) { return tokens_per_rank * r * (r + 1) / (n + 1); };
    for (std::size_t r = 0; r < n; ++r) tokens[r] = before(r + 1) - before(r);
  }
  if (spread == TokenSpread::empty_rank && n > 1) {
    const std::size_t total = tokens_per_rank * n;
    for (std::size_t r = 0; r + 1 < n; ++r) tokens[r] = total / (n - 1) + (r < total % (n - 1) ? 1 : 0);
    tokens.back() = 0;
  }
  return tokens;
}

std::span<const std::int32_t> Routes::experts_of(std::size_t token) const {
  const auto k = static_cast<std::size_t>(topk);
  return std::span(experts).subspan(token * k, k);
}

std::span<const float> Routes::weights_of(std::size_t token) const {
  const auto k = static_cast<std::size_t>(topk);
  return std::span(weights).subspan(token * k, k);
}

Routes routes_of(const RoutingOptions& o, int rank, const std::vector<std::size_t>& tokens) {
  require(o);
  const auto k = static_cast<std::size_t>(o.topk);
  const auto own = static_cast<std::size_t>(rank);
  const std::size_t before = std::accumulate(tokens.begin(), tokens.begin() + rank, std::size_t{0});
  Routes routes{o.topk, std::vector<std::int32_t>(tokens[own] * k), std::vector<float>(tokens[own] * k)};
  for (std::size_t t = 0; t < tokens[own]; ++t) {
    KeyedRandom random(o.step, own, t, kChoice);
    choose(o, random, before + t, std::span(routes.experts).subspan(t * k, k));
    weigh({o.step, own, t, kWeight}, std::span(routes.weights).subspan(t * k, k));
  }
  return routes;
}

std::vector<double> expert_loads(const RoutingOptions& options, const std::vector<std::size_t>& tokens) {
  std::vector<double> loads(static_cast<std::size_t>(options.experts));
  for (int r = 0; r < options.ranks; ++r) {
    for (const std::int32_t e : routes_of(options, r, tokens).experts)
      loads[static_cast<std::size_t>(e)] += 1;
  }
  return loads;
}

double expected_uniform_fan_out(int ranks, int experts, int topk) {
  double missed = 1;
  for (int i = 0; i < topk; ++i) {
    missed *= static_cast<double>(std::max(0, experts - experts / ranks - i)) / (experts - i);
  }
  return ranks * (1 - missed);
}

}  // namespace nightsweep
