#include "ep_case.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "ep_locality.hpp"
#include "ep_random.hpp"
#include "row_arithmetic.hpp"

namespace nightsweep {

EpCase::EpCase(Transport& transport, const EpOptions& o)
    : EpRound(transport, o),
      transport_(transport),
      exchange_(transport, {o.resource == EpResource::fixed      ? o.budget
                            : o.resource == EpResource::pairwise ? std::max(1, transport.ranks() - 1)
                                                                 : 0}) {
  fill(o.activation);
  combined.resize(input.size());
  make_layout();
  received = Blocks::packed(exchange_.tell(layout.counts));
  if (o.mode == EpMode::low_latency) {
    const std::size_t most =
        std::ranges::max(tokens) * index(std::min(o.routing.topk, placement.slots_per_rank()));
    area_bytes_ = most * (record_bytes() + row_bytes_);
  } else if (o.resource == EpResource::tuned) {
    exchange_.take(fastest_path(transport, {layout.counts, layout.starts}, received, row_bytes_));
  }
}

void EpCase::fill(Activation activation) {
  input = input_of(options, activation, transport_.rank(), own_tokens());
  encode();
}

void EpCase::forget() {
  forget_moved();
  std::ranges::fill(expert_results, std::uint16_t{0xFFFF});
}

void EpCase::forget_moved() {
  // Also forgets what dispatch computes before it moves anything, so that it must compute it again.
  if (lays_out()) {
    layout = {};
    layout.counts.resize(tokens.size());
    layout.starts.resize(tokens.size());
    layout.token_starts.resize(own_tokens() + 1);
    received = nothing();
  }
  if (visible()) std::ranges::fill(encoded_, std::byte{0xFF});
  for (auto* bytes :
       {&received_records, &received_rows, &send_records_, &send_rows_, &return_rows_, &returned_}) {
    std::ranges::fill(*bytes, std::byte{0xFF});
  }
  for (auto* elements : {&expert_rows, &outputs_, &combined}) {
    std::ranges::fill(*elements, std::uint16_t{0xFFFF});
  }
}

void EpCase::encode() {
  encoded_.resize(own_tokens() * row_bytes_);
  for (std::size_t t = 0; t < own_tokens(); ++t) {
    encode_token(options.dispatch, std::span(input).subspan(t * options.hidden, options.hidden),
                 std::span(encoded_).subspan(t * row_bytes_, row_bytes_));
  }
}

void EpCase::dispatch() {
  prepare_dispatch();
  options.mode == EpMode::low_latency ? dispatch_low_latency() : dispatch_normal();
  if (visible()) sort_by_expert();
}

void EpCase::prepare_dispatch() {
  if (lays_out()) make_layout();
  if (visible()) encode();
  if (options.mode == EpMode::low_latency) return;
  if (lays_out()) received = Blocks::packed(exchange_.tell(layout.counts));
  send_rows_.resize(layout.copies() * row_bytes_);
  send_records_.resize(layout.copies() * record_bytes());
  received_records.resize(received.rows() * record_bytes());
  received_rows.resize(received.rows() * row_bytes_);
  pack(send_records_.data(), send_rows_.data(), 0, layout.copies());
}

void EpCase::start_dispatch(int tag) {
  prepare_dispatch();
  dispatch_tag_ = tag;
  post_dispatch(0);
}

void EpCase::post_dispatch(int round) {
  const Blocks sent{layout.counts, layout.starts};
  dispatching_.clear();
  exchange_.post(send_records_.data(), sent, received_records.data(), received, record_bytes(), dispatch_tag_,
                 round, dispatching_);
  exchange_.post(send_rows_.data(), sent, received_rows.data(), received, row_bytes_, dispatch_tag_, round,
                 dispatching_);
}

void EpCase::finish_dispatch() {
  transport_.wait_all(dispatching_);
  for (int round = 1; round < exchange_.rounds(); ++round) {
    post_dispatch(round);
    transport_.wait_all(dispatching_);
  }
  dispatching_.clear();
  if (visible()) sort_by_expert();
}

void EpCase::poll() {
  for (Pending& p : dispatching_) transport_.progress(p);
  for (Pending& p : combining_) transport_.progress(p);
}

void EpCase::pack(std::byte* records, std::byte* rows, std::size_t first, std::size_t count) const {
  std::memcpy(records, reinterpret_cast<const std::byte*>(layout.records.data()) + first * record_bytes(),
              count * record_bytes());
  for (std::size_t c = 0; c < count; ++c) {
    std::memcpy(rows + c * row_bytes_, &encoded_[index(layout.tokens[first + c]) * row_bytes_], row_bytes_);
  }
}

void EpCase::dispatch_normal() {
  const Blocks sent{layout.counts, layout.starts};
  exchange_.move(send_records_.data(), sent, received_records.data(), received, record_bytes());
  exchange_.move(send_rows_.data(), sent, received_rows.data(), received, row_bytes_);
}

void EpCase::dispatch_low_latency() {
  const std::size_t copy_bytes = record_bytes() + row_bytes_;
  send_rows_.resize(layout.copies() * copy_bytes);
  received_records.resize(area_bytes_ * layout.counts.size());
  std::vector<std::size_t> bytes;
  for (std::size_t r = 0; r < layout.counts.size(); ++r) {
    std::byte* area = send_rows_.data() + layout.starts[r] * copy_bytes;
    pack(area, area + layout.counts[r] * record_bytes(), layout.starts[r], layout.counts[r]);
    bytes.push_back(layout.counts[r] * copy_bytes);
  }
  auto came = exchange_.move_unannounced(send_rows_.data(), bytes, received_records.data(), area_bytes_);
  for (std::size_t& c : came) c /= copy_bytes;
  received = Blocks::packed(std::move(came));
}

void EpCase::sort_by_expert() {
  std::vector<std::size_t> counts(index(placement.slots_per_rank()));
  expert_row_of_.clear();
  for (std::size_t source = 0; source < received.counts.size(); ++source) {
    for (std::size_t c = 0; c < received.counts[source]; ++c) {
      const CopyRecord r = record(source, c);
      for (std::int32_t i = 0; i < r.slots(); ++i) expert_row_of_.push_back(counts[index(r.slot(i))]++);
    }
  }
  const Blocks slots = Blocks::packed(std::move(counts));
  slot_starts = slots.starts;
  expert_rows.resize(slots.rows() * options.hidden);
  std::vector<float> values(options.hidden);
  std::size_t next = 0;
  for (std::size_t source = 0; source < received.counts.size(); ++source) {
    for (std::size_t c = 0; c < received.counts[source]; ++c) {
      const CopyRecord r = record(source, c);
      decode_token(options.dispatch, received_row(source, c), values);
      for (std::int32_t i = 0; i < r.slots(); ++i, ++next) {
        expert_row_of_[next] += slot_starts[index(r.slot(i))];
        narrow(values, std::span(expert_rows).subspan(expert_row_of_[next] * options.hidden, options.hidden));
      }
    }
  }
}

void EpCase::apply_experts() { visible() ? apply_to_expert_rows() : apply_to_copies(); }

void EpCase::apply_to_copies() {
  outputs_.resize(received.rows() * options.hidden);
  std::vector<float> values(options.hidden), result(options.hidden);
  for (std::size_t source = 0; source < received.counts.size(); ++source) {
    for (std::size_t c = 0; c < received.counts[source]; ++c) {
      const CopyRecord r = record(source, c);
      decode_token(options.dispatch, received_row(source, c), values);
      std::ranges::fill(result, 0.0F);
      for (std::int32_t i = 0; i < r.slots(); ++i) {
        const float weight = options.mode == EpMode::normal ? r.weight(i) : 1;
        add_scaled(result, values, weight * expert_scale(expert_at(r.slot(i))));
      }
      narrow(result,
             std::span(outputs_).subspan((received.starts[source] + c) * options.hidden, options.hidden));
    }
  }
}

void EpCase::apply_to_expert_rows() {
  expert_results.resize(expert_rows.size());
  for (std::size_t slot = 0; slot < slot_starts.size(); ++slot) {
    const float scale = expert_scale(expert_at(static_cast<std::int32_t>(slot)));
    const std::size_t end =
        slot + 1 < slot_starts.size() ? slot_starts[slot + 1] * options.hidden : expert_rows.size();
    const std::size_t begin = slot_starts[slot] * options.hidden;
    scale_rows(std::span(expert_rows).subspan(begin, end - begin), scale,
               std::span(expert_results).subspan(begin, end - begin));
  }
}

void EpCase::gather_from_experts() {
  outputs_.resize(received.rows() * options.hidden);
  std::vector<float> values(options.hidden), result(options.hidden);
  std::size_t next = 0;
  for (std::size_t source = 0; source < received.counts.size(); ++source) {
    for (std::size_t c = 0; c < received.counts[source]; ++c) {
      const CopyRecord r = record(source, c);
      std::ranges::fill(result, 0.0F);
      for (std::int32_t i = 0; i < r.slots(); ++i, ++next) {
        const auto row =
            std::span(expert_results).subspan(expert_row_of_[next] * options.hidden, options.hidden);
        widen(row, values);
        add_scaled(result, values, options.mode == EpMode::normal ? r.weight(i) : 1);
      }
      narrow(result,
             std::span(outputs_).subspan((received.starts[source] + c) * options.hidden, options.hidden));
    }
  }
}

void EpCase::combine() {
  const std::byte* rows = prepare_combine();
  exchange_.move(rows, received, returned_.data(), {layout.counts, layout.starts}, return_bytes());
  sum_up();
}

void EpCase::start_combine(int tag) {
  returning_ = prepare_combine();
  combine_tag_ = tag;
  post_combine(0);
}

void EpCase::post_combine(int round) {
  combining_.clear();
  exchange_.post(returning_, received, returned_.data(), {layout.counts, layout.starts}, return_bytes(),
                 combine_tag_, round, combining_);
}

void EpCase::finish_combine() {
  transport_.wait_all(combining_);
  for (int round = 1; round < exchange_.rounds(); ++round) {
    post_combine(round);
    transport_.wait_all(combining_);
  }
  combining_.clear();
  sum_up();
}

const std::byte* EpCase::prepare_combine() {
  if (visible()) gather_from_experts();
  returned_.resize(layout.copies() * return_bytes());
  if (options.combine == WireDtype::bf16) return reinterpret_cast<const std::byte*>(outputs_.data());
  return_rows_.resize(received.rows() * return_bytes());
  for (std::size_t c = 0; c < received.rows(); ++c) {
    encode_token(options.combine, std::span(outputs_).subspan(c * options.hidden, options.hidden),
                 std::span(return_rows_).subspan(c * return_bytes(), return_bytes()));
  }
  return return_rows_.data();
}

void EpCase::sum_up() {
  std::vector<float> values(options.hidden), sum(options.hidden);
  for (std::size_t t = 0; t < own_tokens(); ++t) {
    std::ranges::fill(sum, 0.0F);
    for (const std::size_t copy : layout.copies_of(t)) {
      decode_token(options.combine,
                   std::span<const std::byte>(returned_).subspan(copy * return_bytes(), return_bytes()),
                   values);
      add_scaled(sum, values, layout.return_weights[copy]);
    }
    narrow(sum, std::span(combined).subspan(t * options.hidden, options.hidden));
  }
}

}  // namespace nightsweep
