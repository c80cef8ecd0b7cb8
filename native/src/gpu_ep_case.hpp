#pragma once
#include "ep_round.hpp"
#include "gpu_ep_steps.hpp"

namespace nightsweep {

/**
 * Dispatch and combine on a device, in normal mode: copies are laid out, quantised, packed, sorted, weighed
 * and summed up by steps, and moved by the transport in one group of sends and receives. Under the contracts
 * that hold the layout, the host waits once for the counts, since a send must know its length.
 */
class GpuEpCase : public EpRound {
 public:
  /**
   * @param stream where steps are enqueued; null: they run at once, on the host
   * @param memory what the transport moves: the device's, or for a null stream the heap
   * @throws Dropped where a rank's device lacks the memory; collective
   */
  GpuEpCase(Transport& transport, const EpOptions& options, void* stream, BufferKind memory);

  void dispatch();
  void apply_experts();
  void combine();
  /** Overwrites what earlier rounds left behind. */
  void forget();
  /** Brings what lies on the device to the members. */
  void settle();
  /** Puts other tokens in place of the input. */
  void fill(Activation activation);
  [[nodiscard]] ExchangePath path() const { return {}; }

 private:
  void allocate();
  void upload_tables();
  void lay_out();
  void tell();
  void encode();
  void pack();
  void sort_by_expert();
  [[nodiscard]] EpTables tables() const;
  [[nodiscard]] Records records() const;
  [[nodiscard]] WireRows received_wire() const;
  [[nodiscard]] std::size_t row_pieces(std::size_t rows) const { return rows * pieces(options.hidden); }
  Buffer make(std::size_t bytes);

  Transport& transport_;
  void* stream_;
  BufferKind memory_;
  RowExchange exchange_;
  /** The most copies that this rank sends and receives, and the most rows of its experts. */
  std::size_t most_sent_, most_received_, most_rows_;
  Blocks sent_;
  Buffer experts_, weights_, first_slot_, slots_of_, scale_of_slot_;
  /** Counts to each rank, and behind them from each rank. */
  Buffer slots_, stretches_, counts_, starts_, token_of_copy_, records_, copy_of_;
  Buffer input_, encoded_, packed_, came_records_, came_rows_;
  Buffer row_totals_, row_starts_, row_of_, slot_of_row_, expert_rows_, expert_results_;
  Buffer outputs_, return_rows_, returned_, combined_;
};

}  // namespace nightsweep
