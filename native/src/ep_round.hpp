#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ep_exchange.hpp"
#include "ep_options.hpp"
#include "transport.hpp"

namespace nightsweep {

/** A count or a rank as a position in a vector. */
inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

/** The factor of an expert in tests: from 0.5 to under 1.5, exact in bf16, different for most experts. */
float expert_scale(int expert);

/** The placement of a case's experts, balanced or not, by the loads of another step than the measured one. */
Placement placement_of(const EpOptions& options, const std::vector<int>& node_of_rank);

/** The bf16 tokens of a rank. */
std::vector<std::uint16_t> input_of(const EpOptions& options, Activation activation, int rank,
                                    std::size_t tokens);

/**
 * One rank's data in a round of dispatch and combine: its task and the results. Public so that tests can
 * check and spoil it. If the round runs on a device, these are copies.
 */
class EpRound {
 public:
  EpRound(Transport& transport, const EpOptions& options);

  [[nodiscard]] std::size_t own_tokens() const { return tokens[static_cast<std::size_t>(rank_)]; }
  [[nodiscard]] std::size_t received_copies() const { return received.rows(); }
  [[nodiscard]] CopyRecord record(std::size_t source, std::size_t copy) const;
  [[nodiscard]] std::span<const std::byte> received_row(std::size_t source, std::size_t copy) const;
  [[nodiscard]] std::span<std::byte> received_row(std::size_t source, std::size_t copy);
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] std::size_t record_bytes() const { return record_words_ * sizeof(std::int32_t); }
  [[nodiscard]] std::size_t return_bytes() const { return bytes_per_copy(options.combine, options.hidden); }

  const EpOptions options;
  /** By rank. */
  const std::vector<std::size_t> tokens;
  const Placement placement;
  Routes routes;
  SendLayout layout;
  std::vector<std::uint16_t> input;
  /** Copies by source, and the position of each source's first in data ordered by copy. */
  Blocks received;
  /**
   * Words of records and bytes of rows; in low-latency mode a source's records precede its rows in a common
   * area.
   */
  std::vector<std::byte> received_records, received_rows;
  /** This rank's own tokens after combining. */
  std::vector<std::uint16_t> combined;

 protected:
  [[nodiscard]] int expert_at(std::int32_t local_slot) const;
  /** Computes the layout of copies on the host. */
  void make_layout() { maker_.make(routes, placement, first_token_, layout); }
  /** Whether dispatch computes the layout and announces the numbers of copies. */
  [[nodiscard]] bool lays_out() const { return options.contract != EpContract::cached_layout; }
  /** Blocks without rows from any rank. */
  [[nodiscard]] Blocks nothing() const { return Blocks::packed(std::vector<std::size_t>(tokens.size())); }
  [[nodiscard]] bool visible() const { return options.contract == EpContract::runtime_visible; }

  int rank_;
  std::size_t first_token_;
  std::size_t row_bytes_, record_words_, area_bytes_ = 0;

 private:
  LayoutMaker maker_;
};

}  // namespace nightsweep
