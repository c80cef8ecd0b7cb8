#pragma once
#include "ep_round.hpp"

namespace nightsweep {

/**
 * One rank's part in dispatching tokens to experts and combining their results. The expert of a test
 * multiplies with its scale.
 */
class EpCase : public EpRound {
 public:
  EpCase(Transport& transport, const EpOptions& options);

  /** Sends every copy to where its experts are. */
  void dispatch();
  /** What the experts make of what was received. */
  void apply_experts();
  /** Returns the results and sums them up, weighted, at the tokens' source. */
  void combine();

  /**
   * Dispatch and combine in two halves, between which messages are under way: of all peers, or of as many as
   * the budget allows, whose rest the second half moves. Normal mode only.
   */
  void start_dispatch(int tag);
  void finish_dispatch();
  void start_combine(int tag);
  void finish_combine();
  /** Lets messages under way get on. */
  void poll();

  [[nodiscard]] ExchangePath path() const { return exchange_.path(); }
  /** Overwrites what earlier rounds left behind, so that none of it can pass for a later one's. */
  void forget();
  /** The same, but for what the experts made. */
  void forget_moved();
  /** Brings what lies elsewhere to the members: here nothing does. */
  void settle() {}
  /** Puts other tokens in place of the input. */
  void fill(Activation activation);

  /** Under the runtime-visible contract: a row for each slot of each copy, expert by expert, and the first
   * row of each slot. */
  std::vector<std::uint16_t> expert_rows;
  std::vector<std::size_t> slot_starts;
  /** What the experts make of each of expert_rows. */
  std::vector<std::uint16_t> expert_results;

 private:
  void encode();
  void prepare_dispatch();
  void pack(std::byte* records, std::byte* rows, std::size_t first, std::size_t count) const;
  void post_dispatch(int round);
  void post_combine(int round);
  void dispatch_normal();
  void dispatch_low_latency();
  void sort_by_expert();
  void apply_to_copies();
  void apply_to_expert_rows();
  void gather_from_experts();
  const std::byte* prepare_combine();
  void sum_up();

  Transport& transport_;
  RowExchange exchange_;
  std::vector<std::byte> encoded_, send_records_, send_rows_, return_rows_, returned_;
  /** Of each slot of each copy, in order: its row in expert_rows. */
  std::vector<std::size_t> expert_row_of_;
  std::vector<std::uint16_t> outputs_;
  std::vector<Pending> dispatching_, combining_;
  int dispatch_tag_ = 0, combine_tag_ = 0;
  const std::byte* returning_ = nullptr;
};

}  // namespace nightsweep
