#include "ep_routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "ep_placement.hpp"

namespace nightsweep {
namespace {

constexpr int kRoutedRanks = 8;
constexpr int kExperts = 256;
constexpr int kRoutedTopk = 8;

RoutingOptions options(Routing routing, std::uint64_t step = 0) {
  return {routing, kRoutedRanks, kExperts, kRoutedTopk, step};
}

std::vector<std::size_t> even(std::size_t tokens) { return std::vector<std::size_t>(kRoutedRanks, tokens); }

double mean_fan_out(const RoutingOptions& o, std::size_t tokens) {
  std::size_t reached = 0;
  for (int r = 0; r < o.ranks; ++r) {
    const Routes routes = routes_of(o, r, even(tokens));
    for (std::size_t t = 0; t < tokens; ++t) {
      std::set<int> ranks;
      for (const int e : routes.experts_of(t)) ranks.insert(e / (o.experts / o.ranks));
      reached += ranks.size();
    }
  }
  return static_cast<double>(reached) / static_cast<double>(tokens * static_cast<std::size_t>(o.ranks));
}

const std::vector<Routing> kAll = {Routing::uniform, Routing::balanced, Routing::balanced_rank_local,
                                   Routing::zipf, Routing::hotspot_single};

}  // namespace

TEST(Routing, EveryTokenHasDistinctExpertsAndWeightsThatSumToOne) {
  for (const Routing routing : kAll) {
    const Routes routes = routes_of(options(routing), 3, even(100));
    ASSERT_EQ(routes.tokens(), 100U);
    for (std::size_t t = 0; t < routes.tokens(); ++t) {
      const auto chosen = routes.experts_of(t);
      ASSERT_EQ(std::set<int>(chosen.begin(), chosen.end()).size(), 8U) << to_string(routing);
      for (const int e : chosen) ASSERT_TRUE(e >= 0 && e < kExperts);
      const auto weights = routes.weights_of(t);
      ASSERT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-6);
      for (const float w : weights) ASSERT_GT(w, 0);
    }
  }
}

TEST(Routing, IsAFunctionOfTheStep) {
  for (const Routing routing : kAll) {
    const Routes first = routes_of(options(routing, 1), 2, even(64));
    EXPECT_EQ(first.experts, routes_of(options(routing, 1), 2, even(64)).experts);
    EXPECT_NE(first.experts, routes_of(options(routing, 2), 2, even(64)).experts) << to_string(routing);
  }
}

TEST(Routing, UniformFanOutIsTheGoldenValue) {
  EXPECT_NEAR(expected_uniform_fan_out(kRoutedRanks, kExperts, kRoutedTopk), 5.2947, 5e-5);
  EXPECT_NEAR(mean_fan_out(options(Routing::uniform), 4096), 5.2947, 0.02);
  EXPECT_DOUBLE_EQ(expected_uniform_fan_out(1, kExperts, kRoutedTopk), 1);
  EXPECT_DOUBLE_EQ(expected_uniform_fan_out(2, 8, 8), 2);
}

TEST(Routing, FanOutOfTheBalancedOnes) {
  EXPECT_DOUBLE_EQ(mean_fan_out(options(Routing::balanced), 64), 8);
  EXPECT_DOUBLE_EQ(mean_fan_out(options(Routing::balanced_rank_local), 64), 1);
}

TEST(Routing, BalancedLoadsAreEqual) {
  for (const Routing routing : {Routing::balanced, Routing::balanced_rank_local}) {
    const auto loads = expert_loads(options(routing), even(64));
    EXPECT_EQ(std::ranges::min(loads), std::ranges::max(loads)) << to_string(routing);
  }
}

TEST(Routing, UniformLoadsAreAlike) {
  const auto loads = expert_loads(options(Routing::uniform), even(4096));
  EXPECT_LT(std::ranges::max(loads) / std::ranges::min(loads), 1.3);
}

TEST(Routing, ZipfFallsWithTheRank) {
  const auto loads = expert_loads(options(Routing::zipf), even(2048));
  EXPECT_GT(loads[0], loads[3]);
  EXPECT_GT(loads[3], loads[15]);
  // Far from the head, choices without replacement follow the law of single draws.
  const double at64 = std::accumulate(loads.begin() + 56, loads.begin() + 72, 0.0);
  const double at192 = std::accumulate(loads.begin() + 184, loads.begin() + 200, 0.0);
  EXPECT_NEAR(at64 / at192, 3, 0.3);
}

TEST(Routing, HotspotIsInEveryToken) {
  const auto loads = expert_loads(options(Routing::hotspot_single), even(512));
  EXPECT_EQ(loads[0], 512 * kRoutedRanks);
  EXPECT_LT(*std::max_element(loads.begin() + 1, loads.end()), loads[0] / 10);
}

TEST(Routing, RefusesWhatCannotBe) {
  EXPECT_THROW(routes_of({Routing::uniform, 3, 256, 8, 0}, 0, {1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(routes_of({Routing::uniform, 2, 4, 5, 0}, 0, {1, 1}), std::invalid_argument);
  EXPECT_THROW(routes_of({Routing::balanced_rank_local, 4, 8, 4, 0}, 0, {1, 1, 1, 1}), std::invalid_argument);
  EXPECT_THROW(parse_routing("zipfian"), std::invalid_argument);
}

TEST(Tokens, SpreadsKeepTheTotal) {
  for (const auto spread : {TokenSpread::even, TokenSpread::linear, TokenSpread::empty_rank}) {
    for (const int ranks : {1, 2, 3, 7, 8}) {
      for (const std::size_t tokens : {1U, 2U, 5U, 128U}) {
        const auto by_rank = tokens_by_rank(spread, tokens, ranks);
        ASSERT_EQ(std::accumulate(by_rank.begin(), by_rank.end(), std::size_t{0}),
                  tokens * static_cast<std::size_t>(ranks));
      }
    }
  }
  EXPECT_EQ(tokens_by_rank(TokenSpread::empty_rank, 4, 3), (std::vector<std::size_t>{6, 6, 0}));
  EXPECT_EQ(tokens_by_rank(TokenSpread::linear, 5, 4), (std::vector<std::size_t>{2, 4, 6, 8}));
}

TEST(Placement, BlocksOfExpertsArePermutedOverNodesAndStayWhole) {
  // Two nodes of two ranks; blocks of two experts; the first and the third block are busy.
  const std::vector<int> nodes = {7, 7, 9, 9};
  const std::vector<double> loads = {9, 9, 1, 1, 8, 8, 2, 2};
  const auto ranks_of_blocks = [&](PlacementKind kind, const std::vector<int>& node_of_rank) {
    const Placement placement = place(kind, loads, node_of_rank);
    std::vector<int> ranks;
    for (int e = 0; e < 8; e += 2) {
      ranks.push_back(placement.rank_of(placement.slot_for(e, 0)));
      EXPECT_EQ(placement.rank_of(placement.slot_for(e + 1, 0)), ranks.back()) << "a block is whole";
    }
    return ranks;
  };
  EXPECT_EQ(ranks_of_blocks(PlacementKind::packed, nodes), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(ranks_of_blocks(PlacementKind::striped, nodes), (std::vector<int>{0, 2, 1, 3}));
  EXPECT_EQ(ranks_of_blocks(PlacementKind::adversarial, nodes), (std::vector<int>{0, 3, 1, 2}));
  // If ranks are dealt out to nodes in turn, the order is already striped; the adversary puts packed
  // nodes first.
  EXPECT_EQ(ranks_of_blocks(PlacementKind::striped, {7, 9, 7, 9}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(ranks_of_blocks(PlacementKind::adversarial, {7, 9, 7, 9}), (std::vector<int>{0, 3, 2, 1}));
  EXPECT_EQ(ranks_of_blocks(PlacementKind::striped, {7, 7, 7, 7}), (std::vector<int>{0, 1, 2, 3}));
  // The routing alone determines each rank's amount of work; placement does not change it.
  for (const auto kind : {PlacementKind::packed, PlacementKind::striped, PlacementKind::adversarial}) {
    EXPECT_DOUBLE_EQ(place(kind, loads, nodes).imbalance(loads), 1.8);
  }
}

TEST(Placement, BalancingMeetsTheGoldenBound) {
  for (const Routing routing : {Routing::uniform, Routing::zipf, Routing::hotspot_single}) {
    // Balanced by one step's loads, judged by another step's.
    const Placement placement = balance(expert_loads(options(routing, 1), even(1024)), 32, kRoutedRanks);
    const auto loads = expert_loads(options(routing, 2), even(1024));
    EXPECT_LT(placement.imbalance(loads), 1.30) << to_string(routing);
    EXPECT_EQ(placement.slots_per_rank(), 36);
  }
  const auto loads = expert_loads(options(Routing::zipf), even(1024));
  EXPECT_GT(place(PlacementKind::packed, loads, std::vector<int>(kRoutedRanks)).imbalance(loads), 2);
}

TEST(Placement, ReplicasTakeTurnsOnDifferentRanks) {
  const Placement placement =
      balance(expert_loads(options(Routing::hotspot_single), even(256)), 32, kRoutedRanks);
  const auto& slots = placement.slots_of(0);
  ASSERT_GT(slots.size(), 1U);
  std::set<int> ranks;
  for (std::uint64_t turn = 0; turn < slots.size(); ++turn)
    ranks.insert(placement.rank_of(placement.slot_for(0, turn)));
  EXPECT_EQ(ranks.size(), std::min<std::size_t>(slots.size(), kRoutedRanks));
}

TEST(Placement, RefusesUnequalRanks) {
  EXPECT_THROW(balance(std::vector<double>(8, 1), 1, 2), std::invalid_argument);
  EXPECT_THROW(Placement({0, 0}, 2, 1), std::invalid_argument);
}

}  // namespace nightsweep
