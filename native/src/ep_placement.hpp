#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace nightsweep {

/**
 * Where blocks of consecutive experts live, one block a rank: on ranks in order; dealt out over nodes in
 * turn, so that neighbouring blocks are far from each other; or the busiest blocks together on the first
 * node, so that its links have most to carry. Ranks are permuted over nodes and experts stay in their blocks.
 */
enum class PlacementKind { packed, striped, adversarial };

PlacementKind parse_placement(const std::string& text);
std::string to_string(PlacementKind kind);

/** Slots hold experts; every rank has equally many, numbered rank by rank. An expert may have several. */
class Placement {
 public:
  /** @param expert_of_slot the expert in each slot; every expert has at least one, slots are a multiple of
   * ranks */
  Placement(std::vector<int> expert_of_slot, int experts, int ranks);

  [[nodiscard]] int slots_per_rank() const { return slots_per_rank_; }
  [[nodiscard]] int expert_in(int slot) const { return expert_of_slot_[static_cast<std::size_t>(slot)]; }
  [[nodiscard]] int rank_of(int slot) const { return slot / slots_per_rank_; }
  [[nodiscard]] const std::vector<int>& slots_of(int expert) const;
  /** The slot that a token uses: replicas take turns. */
  [[nodiscard]] int slot_for(int expert, std::uint64_t turn) const;
  /** The largest of the ranks' loads over their mean, replicas sharing their expert's equally. */
  [[nodiscard]] double imbalance(const std::vector<double>& expert_loads) const;

 private:
  std::vector<int> expert_of_slot_;
  std::vector<std::vector<int>> slots_of_expert_;
  int ranks_;
  int slots_per_rank_;
};

/**
 * One slot an expert.
 *
 * @param node_of_rank any number for each node; as many entries as ranks
 */
Placement place(PlacementKind kind, const std::vector<double>& expert_loads,
                const std::vector<int>& node_of_rank);

/**
 * Expert-parallel load balancing, greedily: each redundant slot goes to the expert whose replicas carry most,
 * then the heaviest replica first to the rank that carries least and has room, preferring one without that
 * expert.
 *
 * @throws std::invalid_argument where experts + redundant is no multiple of ranks
 */
Placement balance(const std::vector<double>& expert_loads, int redundant, int ranks);

}  // namespace nightsweep
