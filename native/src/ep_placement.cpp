#include "ep_placement.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace nightsweep {
namespace {

std::vector<int> heaviest_first(const std::vector<double>& loads) {
  std::vector<int> order(loads.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    return loads[static_cast<std::size_t>(a)] > loads[static_cast<std::size_t>(b)];
  });
  return order;
}

/** How many replicas each expert gets. */
std::vector<int> replicas(const std::vector<double>& loads, int redundant) {
  std::vector<int> counts(loads.size(), 1);
  for (int i = 0; i < redundant; ++i) {
    std::size_t most = 0;
    for (std::size_t e = 1; e < loads.size(); ++e) {
      if (loads[e] / counts[e] > loads[most] / counts[most]) most = e;
    }
    ++counts[most];
  }
  return counts;
}

/**
 * The ranks in an order that alternates between nodes: first the first rank of each node, then the second.
 */
std::vector<int> in_turn_over_nodes(const std::vector<int>& node_of_rank) {
  std::vector<int> place_on_node(node_of_rank.size()), order(node_of_rank.size());
  for (std::size_t r = 0; r < node_of_rank.size(); ++r) {
    const auto before = node_of_rank.begin() + static_cast<std::ptrdiff_t>(r);
    place_on_node[r] = static_cast<int>(std::count(node_of_rank.begin(), before, node_of_rank[r]));
  }
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int r) {
    return std::pair(place_on_node[static_cast<std::size_t>(r)], node_of_rank[static_cast<std::size_t>(r)]);
  });
  return order;
}

struct Bin {
  double load = 0;
  std::vector<int> experts;
  [[nodiscard]] bool holds(int expert) const { return std::ranges::find(experts, expert) != experts.end(); }
};

}  // namespace

PlacementKind parse_placement(const std::string& text) {
  if (text == "packed") return PlacementKind::packed;
  if (text == "striped") return PlacementKind::striped;
  if (text == "adversarial") return PlacementKind::adversarial;
  throw std::invalid_argument("no placement '" + text + "'; expected packed, striped or adversarial");
}

std::string to_string(PlacementKind kind) {
  switch (kind) {
    case PlacementKind::packed:
      return "packed";
    case PlacementKind::striped:
      return "striped";
    case PlacementKind::adversarial:
      return "adversarial";
  }
  return "?";
}

Placement::Placement(std::vector<int> expert_of_slot, int experts, int ranks)
    : expert_of_slot_(std::move(expert_of_slot)),
      slots_of_expert_(static_cast<std::size_t>(experts)),
      ranks_(ranks),
      slots_per_rank_(static_cast<int>(expert_of_slot_.size()) / ranks) {
  if (static_cast<int>(expert_of_slot_.size()) != slots_per_rank_ * ranks) {
    throw std::invalid_argument("slots are a multiple of ranks");
  }
  for (std::size_t slot = 0; slot < expert_of_slot_.size(); ++slot) {
    slots_of_expert_[static_cast<std::size_t>(expert_of_slot_[slot])].push_back(static_cast<int>(slot));
  }
  if (std::ranges::any_of(slots_of_expert_, [](const auto& slots) { return slots.empty(); })) {
    throw std::invalid_argument("every expert has a slot");
  }
}

const std::vector<int>& Placement::slots_of(int expert) const {
  return slots_of_expert_[static_cast<std::size_t>(expert)];
}

int Placement::slot_for(int expert, std::uint64_t turn) const {
  const auto& slots = slots_of(expert);
  return slots[turn % slots.size()];
}

double Placement::imbalance(const std::vector<double>& loads) const {
  std::vector<double> by_rank(static_cast<std::size_t>(ranks_));
  for (std::size_t e = 0; e < loads.size(); ++e) {
    const auto& slots = slots_of_expert_[e];
    for (const int slot : slots) {
      by_rank[static_cast<std::size_t>(rank_of(slot))] += loads[e] / static_cast<double>(slots.size());
    }
  }
  const double total = std::accumulate(by_rank.begin(), by_rank.end(), 0.0);
  return total > 0 ? std::ranges::max(by_rank) * ranks_ / total : 1;
}

Placement place(PlacementKind kind, const std::vector<double>& loads, const std::vector<int>& node_of_rank) {
  const auto ranks = static_cast<int>(node_of_rank.size());
  const std::size_t block = loads.size() / node_of_rank.size();
  std::vector<int> blocks(node_of_rank.size());
  std::iota(blocks.begin(), blocks.end(), 0);
  std::vector<int> hosts = blocks;
  if (kind == PlacementKind::striped) {
    hosts = in_turn_over_nodes(node_of_rank);
  } else if (kind == PlacementKind::adversarial) {
    std::ranges::stable_sort(hosts, {},
                             [&](int rank) { return node_of_rank[static_cast<std::size_t>(rank)]; });
    std::vector<double> block_loads(node_of_rank.size());
    for (std::size_t e = 0; e < loads.size(); ++e) block_loads[e / block] += loads[e];
    blocks = heaviest_first(block_loads);
  }
  std::vector<int> expert_of_slot(loads.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::size_t e = 0; e < block; ++e) {
      expert_of_slot[static_cast<std::size_t>(hosts[i]) * block + e] =
          blocks[i] * static_cast<int>(block) + static_cast<int>(e);
    }
  }
  return {std::move(expert_of_slot), static_cast<int>(loads.size()), ranks};
}

Placement balance(const std::vector<double>& loads, int redundant, int ranks) {
  const auto slots = loads.size() + static_cast<std::size_t>(redundant);
  const std::size_t room = slots / static_cast<std::size_t>(ranks);
  const std::vector<int> counts = replicas(loads, redundant);
  std::vector<double> share(loads.size());
  for (std::size_t e = 0; e < loads.size(); ++e) share[e] = loads[e] / counts[e];
  std::vector<Bin> bins(static_cast<std::size_t>(ranks));
  if (room * bins.size() != slots) {
    throw std::invalid_argument("experts and redundant experts together are a multiple of ranks");
  }
  for (const int expert : heaviest_first(share)) {
    const auto e = static_cast<std::size_t>(expert);
    for (int replica = 0; replica < counts[e]; ++replica) {
      const auto rank_by = [&](const Bin& bin) {
        return std::tuple(bin.experts.size() >= room, bin.holds(expert), bin.load);
      };
      Bin& bin = *std::ranges::min_element(bins, {}, rank_by);
      bin.load += share[e];
      bin.experts.push_back(expert);
    }
  }
  std::vector<int> expert_of_slot;
  for (const Bin& bin : bins)
    expert_of_slot.insert(expert_of_slot.end(), bin.experts.begin(), bin.experts.end());
  return {std::move(expert_of_slot), static_cast<int>(loads.size()), ranks};
}

}  // namespace nightsweep
