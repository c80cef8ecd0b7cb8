#include "gpu_ep_case.hpp"

#include <algorithm>
#include <numeric>

#include "errors.hpp"
#include "memory.hpp"

namespace nightsweep {
namespace {

std::size_t stretches_of(std::size_t items) { return (items + kStepItems - 1) / kStepItems; }

template <typename T>
void put(Transport& transport, const Buffer& to, const std::vector<T>& values) {
  transport.upload(to.data(), values.data(), values.size() * sizeof(T));
}

}  // namespace

GpuEpCase::GpuEpCase(Transport& transport, const EpOptions& o, void* stream, BufferKind memory)
    : EpRound(transport, o),
      transport_(transport),
      stream_(stream),
      memory_(memory),
      exchange_(transport, {}),
      most_sent_(own_tokens() * std::min(static_cast<std::size_t>(o.routing.topk), tokens.size())),
      most_received_(std::accumulate(tokens.begin(), tokens.end(), std::size_t{0})),
      most_rows_(most_received_ *
                 static_cast<std::size_t>(std::min(o.routing.topk, placement.slots_per_rank()))) {
  allocate_together(transport, [this] { allocate(); });
  make_layout();
  upload_tables();
  fill(o.activation);
  lay_out();
  tell();
}

Buffer GpuEpCase::make(std::size_t bytes) { return transport_.allocate(memory_, bytes); }

void GpuEpCase::allocate() {
  const std::size_t choices = routes.experts.size();
  const auto topk = static_cast<std::size_t>(options.routing.topk);
  const auto ranks = tokens.size();
  const auto slots = static_cast<std::size_t>(placement.slots_per_rank());
  const auto experts = static_cast<std::size_t>(options.routing.experts);
  const std::size_t bf16_row = 2 * options.hidden;
  experts_ = make(4 * choices);
  weights_ = make(4 * choices);
  first_slot_ = make(4 * (experts + 1));
  slots_of_ = make(4 * slots * ranks);
  scale_of_slot_ = make(4 * slots);
  slots_ = make(4 * choices);
  stretches_ = make(4 * std::max(stretches_of(own_tokens()) * ranks, stretches_of(most_received_) * slots));
  counts_ = make(4 * 2 * ranks);
  starts_ = make(4 * (ranks + 1));
  token_of_copy_ = make(4 * most_sent_);
  records_ = make(record_bytes() * most_sent_);
  copy_of_ = make(4 * choices);
  input_ = make(bf16_row * own_tokens());
  if (options.dispatch == WireDtype::fp8) encoded_ = make(row_bytes() * own_tokens());
  packed_ = make(row_bytes() * most_sent_);
  came_records_ = make(record_bytes() * most_received_);
  came_rows_ = make(row_bytes() * most_received_);
  outputs_ = make(bf16_row * most_received_);
  if (options.combine == WireDtype::fp8) return_rows_ = make(return_bytes() * most_received_);
  returned_ = make(return_bytes() * most_sent_);
  combined_ = make(bf16_row * own_tokens());
  if (!visible()) return;
  row_totals_ = make(4 * slots);
  row_starts_ = make(4 * (slots + 1));
  row_of_ = make(4 * most_received_ * topk);
  slot_of_row_ = make(4 * most_rows_);
  expert_rows_ = make(bf16_row * most_rows_);
  expert_results_ = make(bf16_row * most_rows_);
}

void GpuEpCase::upload_tables() {
  std::vector<std::int32_t> first_slot = {0}, slots_of;
  for (int expert = 0; expert < options.routing.experts; ++expert) {
    for (const int slot : placement.slots_of(expert)) slots_of.push_back(slot);
    first_slot.push_back(static_cast<std::int32_t>(slots_of.size()));
  }
  std::vector<float> scales;
  for (int slot = 0; slot < placement.slots_per_rank(); ++slot)
    scales.push_back(expert_scale(expert_at(slot)));
  put(transport_, experts_, routes.experts);
  put(transport_, weights_, routes.weights);
  put(transport_, first_slot_, first_slot);
  put(transport_, slots_of_, slots_of);
  put(transport_, scale_of_slot_, scales);
}

EpTables GpuEpCase::tables() const {
  return {experts_.as<std::int32_t>(),
          weights_.as<float>(),
          first_slot_.as<std::int32_t>(),
          slots_of_.as<std::int32_t>(),
          own_tokens(),
          first_token_,
          options.routing.topk,
          static_cast<int>(tokens.size()),
          placement.slots_per_rank()};
}

Records GpuEpCase::records() const {
  return {came_records_.as<std::int32_t>(), static_cast<std::size_t>(options.routing.topk)};
}

WireRows GpuEpCase::received_wire() const {
  return {came_rows_.as<std::byte>(), options.hidden, options.dispatch == WireDtype::fp8};
}

void GpuEpCase::fill(Activation activation) {
  input = input_of(options, activation, rank_, own_tokens());
  put(transport_, input_, input);
  encode();
}

void GpuEpCase::forget() {
  for (const Buffer* b : {&packed_, &came_records_, &came_rows_, &outputs_, &return_rows_, &returned_,
                          &combined_, &expert_rows_, &expert_results_}) {
    put(transport_, *b, std::vector<std::byte>(b->bytes(), std::byte{0xFF}));
  }
  // Also clears what dispatch computes before it moves anything, so that it must compute it again. Zeros,
  // since these are positions.
  const auto clear = [this](const Buffer& b) { put(transport_, b, std::vector<std::byte>(b.bytes())); };
  if (lays_out()) {
    for (const Buffer* b : {&slots_, &counts_, &starts_, &token_of_copy_, &records_, &copy_of_}) clear(*b);
    sent_ = nothing();
    received = nothing();
  }
  if (!visible()) return;
  for (const Buffer* b : {&encoded_, &row_totals_, &row_starts_, &row_of_, &slot_of_row_}) clear(*b);
}

void GpuEpCase::encode() {
  if (options.dispatch == WireDtype::bf16) return;
  enqueue(stream_, row_pieces(own_tokens()),
          QuantiseRows{input_.as<std::uint16_t>(), encoded_.as<std::byte>(), options.hidden});
}

void GpuEpCase::lay_out() {
  const EpTables t = tables();
  const std::size_t ranks = tokens.size();
  const std::size_t stretches = stretches_of(own_tokens());
  auto* const slots = slots_.as<std::int32_t>();
  auto* const before = stretches_.as<std::int32_t>();
  auto* const starts = starts_.as<std::int32_t>();
  enqueue(stream_, t.choices(), ChooseSlots{t, slots});
  enqueue(stream_, stretches * ranks, CountCopies{t, slots, before});
  enqueue(stream_, ranks, ScanStretches{before, counts_.as<std::int32_t>(), stretches, ranks});
  enqueue(stream_, 1, ScanTotals{counts_.as<std::int32_t>(), starts, ranks});
  enqueue(stream_, stretches * ranks,
          FillCopies{t, slots, before, starts, token_of_copy_.as<std::int32_t>(), records_.as<std::int32_t>(),
                     copy_of_.as<std::int32_t>()});
}

void GpuEpCase::tell() {
  const std::size_t ranks = tokens.size();
  auto* const counts = counts_.as<std::int32_t>();
  transport_.all_to_all(counts, counts + ranks, 1, Dtype::i32);
  std::vector<std::int32_t> both(2 * ranks);
  transport_.download(both.data(), counts, 4 * both.size());
  const auto half = both.begin() + static_cast<std::ptrdiff_t>(ranks);
  sent_ = Blocks::packed({both.begin(), half});
  received = Blocks::packed({half, both.end()});
  if (sent_.rows() > most_sent_ || received.rows() > most_received_) {
    throw TransportError("there are more copies than tokens could have", false);
  }
}

void GpuEpCase::pack() {
  const std::byte* const rows =
      options.dispatch == WireDtype::fp8 ? encoded_.as<std::byte>() : input_.as<std::byte>();
  const auto* const token_of_copy = token_of_copy_.as<std::int32_t>();
  const std::int32_t* const copies = starts_.as<std::int32_t>() + tokens.size();
  const auto with = [&]<typename Unit>(Unit* packed) {
    const std::size_t units = row_bytes() / sizeof(Unit);
    enqueue(stream_, most_sent_ * units,
            PackRows<Unit>{reinterpret_cast<const Unit*>(rows), token_of_copy, copies, packed, units});
  };
  row_bytes() % sizeof(Quad) == 0 ? with(packed_.as<Quad>()) : with(packed_.as<std::uint32_t>());
}

void GpuEpCase::dispatch() {
  if (lays_out()) lay_out();
  if (visible()) encode();
  pack();
  if (lays_out()) tell();
  exchange_.move(records_.as<std::byte>(), sent_, came_records_.as<std::byte>(), received, record_bytes());
  exchange_.move(packed_.as<std::byte>(), sent_, came_rows_.as<std::byte>(), received, row_bytes());
  if (visible()) sort_by_expert();
}

void GpuEpCase::sort_by_expert() {
  const auto slots = static_cast<std::size_t>(placement.slots_per_rank());
  const std::size_t copies = received.rows();
  const std::size_t stretches = stretches_of(copies);
  auto* const before = stretches_.as<std::int32_t>();
  auto* const starts = row_starts_.as<std::int32_t>();
  auto* const row_of = row_of_.as<std::int32_t>();
  enqueue(stream_, stretches * slots, CountRows{records(), copies, slots, before});
  enqueue(stream_, slots, ScanStretches{before, row_totals_.as<std::int32_t>(), stretches, slots});
  enqueue(stream_, 1, ScanTotals{row_totals_.as<std::int32_t>(), starts, slots});
  enqueue(stream_, stretches * slots,
          FillRows{records(), copies, slots, before, starts, row_of, slot_of_row_.as<std::int32_t>()});
  enqueue(stream_, row_pieces(copies),
          UnpackRows{received_wire(), records(), row_of, expert_rows_.as<std::uint16_t>()});
}

void GpuEpCase::apply_experts() {
  const auto* const scales = scale_of_slot_.as<float>();
  if (!visible()) {
    enqueue(stream_, row_pieces(received.rows()),
            ApplyToCopies{received_wire(), records(), scales, outputs_.as<std::uint16_t>()});
    return;
  }
  enqueue(stream_, row_pieces(most_rows_),
          ApplyToRows{expert_rows_.as<std::uint16_t>(), slot_of_row_.as<std::int32_t>(),
                      row_starts_.as<std::int32_t>() + placement.slots_per_rank(), scales,
                      expert_results_.as<std::uint16_t>(), options.hidden});
}

void GpuEpCase::combine() {
  const auto* const outputs = outputs_.as<std::uint16_t>();
  if (visible()) {
    enqueue(stream_, row_pieces(received.rows()),
            GatherRows{records(), row_of_.as<std::int32_t>(), expert_results_.as<std::uint16_t>(),
                       outputs_.as<std::uint16_t>(), options.hidden});
  }
  const bool fp8 = options.combine == WireDtype::fp8;
  if (fp8) {
    enqueue(stream_, row_pieces(received.rows()),
            QuantiseRows{outputs, return_rows_.as<std::byte>(), options.hidden});
  }
  exchange_.move(fp8 ? return_rows_.as<std::byte>() : outputs_.as<std::byte>(), received,
                 returned_.as<std::byte>(), sent_, return_bytes());
  enqueue(stream_, row_pieces(own_tokens()),
          SumUp{{returned_.as<std::byte>(), options.hidden, fp8},
                copy_of_.as<std::int32_t>(),
                static_cast<std::size_t>(options.routing.topk),
                combined_.as<std::uint16_t>()});
}

void GpuEpCase::settle() {
  received_records.resize(received.rows() * record_bytes());
  received_rows.resize(received.rows() * row_bytes());
  combined.resize(input.size());
  transport_.download(received_records.data(), came_records_.data(), received_records.size());
  transport_.download(received_rows.data(), came_rows_.data(), received_rows.size());
  transport_.download(combined.data(), combined_.data(), 2 * combined.size());
  transport_.download(input.data(), input_.data(), 2 * input.size());
}

}  // namespace nightsweep
