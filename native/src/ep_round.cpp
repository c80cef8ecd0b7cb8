#include "ep_round.hpp"

#include <algorithm>
#include <numeric>

#include "ep_locality.hpp"
#include "ep_random.hpp"

namespace nightsweep {
namespace {

/**
 * Placements use the loads of a step that is never measured, with this many tokens over all ranks. Steps that
 * differ by multiples of 2^32, like those of micro-batches, have the same placement.
 */
constexpr std::uint64_t kCalibration = std::uint64_t{1} << 63;
constexpr std::uint64_t kPlacementSteps = (std::uint64_t{1} << 32) - 1;
constexpr std::size_t kCalibrationTokens = 8192;

}  // namespace

float expert_scale(int expert) {
  return 0.5F + static_cast<float>(mixed(static_cast<std::uint64_t>(expert)) % 64) / 64;
}

Placement placement_of(const EpOptions& o, const std::vector<int>& node_of_rank) {
  RoutingOptions calibration = o.routing;
  calibration.step = kCalibration + (o.routing.step & kPlacementSteps);
  const std::vector<std::size_t> tokens(index(o.routing.ranks),
                                        kCalibrationTokens / index(o.routing.ranks) + 1);
  const auto loads = expert_loads(calibration, tokens);
  return o.redundant > 0 ? balance(loads, o.redundant, o.routing.ranks)
                         : place(o.placement, loads, node_of_rank);
}

std::vector<std::uint16_t> input_of(const EpOptions& o, Activation activation, int rank, std::size_t tokens) {
  std::vector<std::uint16_t> input(tokens * o.hidden);
  for (std::size_t t = 0; t < tokens; ++t) {
    fill_token(activation, o.routing.step, rank, t, std::span(input).subspan(t * o.hidden, o.hidden));
  }
  return input;
}

EpRound::EpRound(Transport& transport, const EpOptions& o)
    : options(o),
      tokens(tokens_by_rank(o.spread, o.tokens, transport.ranks())),
      placement(placement_of(o, Locality::of(transport.hosts(), o.gpus_per_node, o.scale_up_domain).node)),
      routes(routes_of(o.routing, transport.rank(), tokens)),
      rank_(transport.rank()),
      first_token_(std::accumulate(tokens.begin(), tokens.begin() + rank_, std::size_t{0})),
      row_bytes_(bytes_per_copy(o.dispatch, o.hidden)),
      record_words_(CopyRecord::words(slots_per_record(o.mode, o.routing.topk))),
      maker_(o.mode, o.routing.topk, transport.ranks()) {}

CopyRecord EpRound::record(std::size_t source, std::size_t copy) const {
  const std::byte* first = options.mode == EpMode::low_latency
                               ? received_records.data() + source * area_bytes_
                               : received_records.data() + received.starts[source] * record_bytes();
  return CopyRecord({reinterpret_cast<const std::int32_t*>(first) + copy * record_words_, record_words_});
}

std::span<const std::byte> EpRound::received_row(std::size_t source, std::size_t copy) const {
  if (options.mode == EpMode::low_latency) {
    const std::size_t rows = source * area_bytes_ + received.counts[source] * record_bytes();
    return std::span(received_records).subspan(rows + copy * row_bytes_, row_bytes_);
  }
  return std::span(received_rows).subspan((received.starts[source] + copy) * row_bytes_, row_bytes_);
}

std::span<std::byte> EpRound::received_row(std::size_t source, std::size_t copy) {
  const auto row = static_cast<const EpRound*>(this)->received_row(source, copy);
  return {const_cast<std::byte*>(row.data()), row.size()};
}

int EpRound::expert_at(std::int32_t local_slot) const {
  return placement.expert_in(rank_ * placement.slots_per_rank() + local_slot);
}

}  // namespace nightsweep
