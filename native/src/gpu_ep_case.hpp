#pragma once
#include "ep_round.hpp"
#include "gpu_ep_steps.hpp"

namespace nightsweep {

/**
 * Dispatch and combine on a device, in normal mode. Steps lay out, quantise, pack, sort, weight and sum the
 * copies; the transport moves them in one group of sends and receives. Under contracts that include the
 * layout, the host waits once for the counts, since a send needs its length.
 */
class GpuEpCase : public EpRound {
 public:
  /**
   * @param stream where steps are enqueued; null: they run immediately, on the host
   * @param memory the kind that the transport moves: the device's, or the heap for a null stream
   * @throws Dropped where a rank's device lacks the memory; collective
   */
  GpuEpCase(Transport& transport, const EpOptions& options, void* stream, BufferKind memory);

  void dispatch();
  void apply_experts();
  void combine();
  /** Overwrites the results of earlier rounds. */
  void forget();
  /** Copies data from the device into the members. */
  void settle();
  /** Replaces the input by other tokens. */
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
  /** Limits on the copies that this rank sends and receives, and on the rows of its experts. */
  std::size_t most_sent_, most_received_, most_rows_;
  Blocks sent_;
  Buffer experts_, weights_, first_slot_, slots_of_, scale_of_slot_;
  /** Counts to each rank, followed by counts from each rank. */
  Buffer slots_, stretches_, counts_, starts_, token_of_copy_, records_, copy_of_;
  Buffer input_, encoded_, packed_, came_records_, came_rows_;
  Buffer row_totals_, row_starts_, row_of_, slot_of_row_, expert_rows_, expert_results_;
  Buffer outputs_, return_rows_, returned_, combined_;
};

}  // namespace nightsweep
