#pragma once
#include "ep_round.hpp"

namespace nightsweep {

/**
 * One rank's part in dispatching tokens to experts and combining their results. In tests, an expert
 * multiplies by its scale.
 */
class EpCase : public EpRound {
 public:
  EpCase(Transport& transport, const EpOptions& options);

  /** Sends every copy to the ranks of its experts. */
  void dispatch();
  /** Applies the experts to the received tokens. */
  void apply_experts();
  /** Returns the results and sums them, weighted, at the tokens' source. */
  void combine();

  /**
   * The two halves of dispatch and combine, with messages pending between them: those of all peers, or of as
   * many as the budget allows; then the second half moves the rest. Normal mode only.
   */
  void start_dispatch(int tag);
  void finish_dispatch();
  void start_combine(int tag);
  void finish_combine();
  /** Lets pending messages progress. */
  void poll();

  [[nodiscard]] ExchangePath path() const { return exchange_.path(); }
  /** Overwrites the results of earlier rounds, so that they cannot be mistaken for a later round's. */
  void forget();
  /** The same, except for the experts' results. */
  void forget_moved();
  /** Copies data from a device into the members; does nothing here. */
  void settle() {}
  /** Replaces the input by other tokens. */
  void fill(Activation activation);

  /**
   * For the runtime-visible contract: a row for each slot of each copy, sorted by expert, and the first row
   * of each slot.
   */
  std::vector<std::uint16_t> expert_rows;
  std::vector<std::size_t> slot_starts;
  /** The experts' results for expert_rows. */
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
  /** For each slot of each copy, in order: its row in expert_rows. */
  std::vector<std::size_t> expert_row_of_;
  std::vector<std::uint16_t> outputs_;
  std::vector<Pending> dispatching_, combining_;
  int dispatch_tag_ = 0, combine_tag_ = 0;
  const std::byte* returning_ = nullptr;
};

}  // namespace nightsweep
