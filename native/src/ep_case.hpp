#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ep_exchange.hpp"
#include "ep_options.hpp"
#include "transport.hpp"

namespace nightsweep {

/** What the experts of the tests multiply with: from 0.5 to under 1.5, exact in bf16, different for most
 * experts. */
float expert_scale(int expert);

/** Where the experts of a case live: balanced, or placed, by the loads of another step than the one measured.
 */
Placement placement_of(const EpOptions& options, const std::vector<int>& node_of_rank);

/** The bf16 tokens of a rank. */
std::vector<std::uint16_t> input_of(const EpOptions& options, Activation activation, int rank,
                                    std::size_t tokens);

/**
 * One rank's part in dispatching tokens to experts and combining their results. The expert of a test
 * multiplies with its scale. The members are what the parts leave behind; they are public to be checked, and
 * spoiled, by tests.
 */
class EpCase {
 public:
  EpCase(Transport& transport, const EpOptions& options);

  /** Sends every copy to where its experts are. */
  void dispatch();
  /** What the experts make of what was received. */
  void apply_experts();
  /** Returns the results and sums them up, weighted, at the tokens' source. */
  void combine();

  /** Dispatch and combine in two halves, between which messages are under way; normal mode only. */
  void start_dispatch(int tag);
  void finish_dispatch();
  void start_combine(int tag);
  void finish_combine();
  /** Lets messages under way get on. */
  void poll();

  [[nodiscard]] std::size_t own_tokens() const { return tokens[static_cast<std::size_t>(transport_.rank())]; }
  [[nodiscard]] std::size_t received_copies() const { return received.rows(); }
  [[nodiscard]] CopyRecord record(std::size_t source, std::size_t copy) const;
  [[nodiscard]] std::span<const std::byte> received_row(std::size_t source, std::size_t copy) const;
  [[nodiscard]] std::span<std::byte> received_row(std::size_t source, std::size_t copy);
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] std::size_t record_bytes() const { return record_words_ * sizeof(std::int32_t); }
  [[nodiscard]] std::size_t return_bytes() const { return bytes_per_copy(options.combine, options.hidden); }
  [[nodiscard]] ExchangePath path() const { return exchange_.path(); }
  /** Overwrites what earlier rounds left behind, so that none of it can pass for a later one's. */
  void forget();
  /** Puts other tokens in place of the input. */
  void fill(Activation activation);

  const EpOptions options;
  /** By rank. */
  const std::vector<std::size_t> tokens;
  const Placement placement;
  Routes routes;
  SendLayout layout;
  std::vector<std::uint16_t> input;
  /** Copies by source, and where the first of each is in what is ordered by copy. */
  Blocks received;
  /** Words of records and bytes of rows; in low-latency mode a source's records lie before its rows, in one
   * area. */
  std::vector<std::byte> received_records, received_rows;
  /** Under the runtime-visible contract: a row for each slot of each copy, expert by expert, and the first
   * row of each slot. */
  std::vector<std::uint16_t> expert_rows;
  std::vector<std::size_t> slot_starts;
  /** What the experts make of each of expert_rows. */
  std::vector<std::uint16_t> expert_results;
  /** Own tokens after combining. */
  std::vector<std::uint16_t> combined;

 private:
  void encode();
  void prepare_dispatch();
  void pack(std::byte* records, std::byte* rows, std::size_t first, std::size_t count) const;
  void dispatch_normal();
  void dispatch_low_latency();
  void sort_by_expert();
  void apply_to_copies();
  void apply_to_expert_rows();
  void gather_from_experts();
  const std::byte* prepare_combine();
  void sum_up();
  [[nodiscard]] int expert_at(std::int32_t local_slot) const;
  [[nodiscard]] bool visible() const { return options.contract == EpContract::runtime_visible; }

  Transport& transport_;
  std::size_t first_token_;
  LayoutMaker maker_;
  RowExchange exchange_;
  std::size_t row_bytes_, record_words_, area_bytes_ = 0;
  std::vector<std::byte> encoded_, send_records_, send_rows_, return_rows_, returned_;
  /** Of each slot of each copy, in order: its row in expert_rows. */
  std::vector<std::size_t> expert_row_of_;
  std::vector<std::uint16_t> outputs_;
  std::vector<Pending> dispatching_, combining_;
};

}  // namespace nightsweep
