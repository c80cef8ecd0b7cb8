#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace nightsweep {

/**
 * Where blocks of consecutive experts are placed, one block for each rank: on ranks in order; alternating
 * between nodes, so that neighbouring blocks are far apart; or with the busiest blocks together on the first
 * node, so that its links have the most load. Only the ranks of blocks change; experts stay in their blocks.
 */
enum class PlacementKind { packed, striped, adversarial };

PlacementKind parse_placement(const std::string& text);
std::string to_string(PlacementKind kind);

/**
 * Slots hold experts; every rank has equally many, numbered rank by rank. An expert may have several slots.
 */
class Placement {
 public:
  /**
   * @param expert_of_slot the expert in each slot; every expert has at least one, and the number of slots is
   * a multiple of ranks
   */
  Placement(std::vector<int> expert_of_slot, int experts, int ranks);

  [[nodiscard]] int slots_per_rank() const { return slots_per_rank_; }
  [[nodiscard]] int expert_in(int slot) const { return expert_of_slot_[static_cast<std::size_t>(slot)]; }
  [[nodiscard]] int rank_of(int slot) const { return slot / slots_per_rank_; }
  [[nodiscard]] const std::vector<int>& slots_of(int expert) const;
  /** The slot for a token: replicas are used in turn. */
  [[nodiscard]] int slot_for(int expert, std::uint64_t turn) const;
  /**
   * The maximum of the ranks' loads over their mean, with an expert's load shared equally by its replicas.
   */
  [[nodiscard]] double imbalance(const std::vector<double>& expert_loads) const;

 private:
  std::vector<int> expert_of_slot_;
  std::vector<std::vector<int>> slots_of_expert_;
  int ranks_;
  int slots_per_rank_;
};

/**
 * One slot for each expert.
 * @param node_of_rank any number for each node; as many entries as ranks
 */
Placement place(PlacementKind kind, const std::vector<double>& expert_loads,
                const std::vector<int>& node_of_rank);

/**
 * Greedy expert-parallel load balancing: each redundant slot goes to the expert with the most load per
 * replica; then replicas, the heaviest first, go to the rank with the least load and a free slot, preferably
 * one without that expert.
 * @throws std::invalid_argument where experts + redundant is not a multiple of ranks
 */
Placement balance(const std::vector<double>& expert_loads, int redundant, int ranks);

}  // namespace nightsweep
