#include "ep_pipeline.hpp"

#include <algorithm>
#include <cmath>

#include "ep_random.hpp"
#include "number_formats.hpp"
#include "row_arithmetic.hpp"

namespace nightsweep {
namespace {

/** Micro-batches use steps far from those of other cases. */
constexpr std::uint64_t kBatchStep = std::uint64_t{1} << 32;
/** Operations of a check, which are computed in doubles; at least one token is checked. */
constexpr double kCheckFlops = 2e9;
/** Tags that distinguish the pending messages of a micro-batch. */
constexpr int kDispatchTag = 100;
constexpr int kCombineTag = 200;

int tag(int base, std::size_t batch) { return base + static_cast<int>(batch); }

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

EpPipeline::EpPipeline(Transport& transport, const EpOptions& options, int batches, std::size_t intermediate)
    : transport_(transport), intermediate_(intermediate), activation_(options.activation) {
  EpOptions one = options;
  one.tokens = options.tokens / static_cast<std::size_t>(batches);
  for (int b = 0; b < batches; ++b) {
    batches_.push_back(std::make_unique<EpCase>(transport, one));
    one.routing.step += kBatchStep;
  }
  // All micro-batches place the experts like the first one.
  const Placement& placement = batches_.front()->placement;
  std::vector<int> own;
  for (int slot = 0; slot < placement.slots_per_rank(); ++slot) {
    own.push_back(placement.expert_in(transport.rank() * placement.slots_per_rank() + slot));
  }
  experts_ = std::make_unique<ExpertFfn>(own, options.hidden, intermediate);
}

void EpPipeline::apply_experts(EpCase& batch, const std::function<void()>& between) {
  if (stand_ins_) {
    batch.apply_experts();
    between();
    return;
  }
  batch.expert_results.resize(batch.expert_rows.size());
  experts_->apply(batch.expert_rows, batch.slot_starts, batch.expert_results, between);
}

void EpPipeline::dispatch(EpCase& batch) {
  batch.start_dispatch(kDispatchTag);
  batch.finish_dispatch();
}

void EpPipeline::combine(EpCase& batch) {
  batch.start_combine(kCombineTag);
  batch.finish_combine();
}

void EpPipeline::run_blocking() {
  for (auto& batch : batches_) {
    dispatch(*batch);
    apply_experts(*batch, [] {});
    combine(*batch);
  }
}

void EpPipeline::run_overlapped() {
  const std::size_t last = batches_.size() - 1;
  batches_[0]->start_dispatch(kDispatchTag);
  batches_[0]->finish_dispatch();
  for (std::size_t b = 0; b <= last; ++b) {
    if (b < last) batches_[b + 1]->start_dispatch(tag(kDispatchTag, b + 1));
    apply_experts(*batches_[b], [&] {
      if (b < last) batches_[b + 1]->poll();
      if (b > 0) batches_[b - 1]->poll();
    });
    batches_[b]->start_combine(tag(kCombineTag, b));
    if (b < last) batches_[b + 1]->finish_dispatch();
    if (b > 0) batches_[b - 1]->finish_combine();
  }
  batches_[last]->finish_combine();
}

void EpPipeline::communicate() {
  for (auto& batch : batches_) {
    dispatch(*batch);
    combine(*batch);
  }
}

void EpPipeline::compute() {
  for (auto& batch : batches_) apply_experts(*batch, [] {});
}

void EpPipeline::forget() {
  for (auto& batch : batches_) batch->forget();
}

void EpPipeline::forget_computed() {
  for (auto& batch : batches_) std::ranges::fill(batch->expert_results, std::uint16_t{0xFFFF});
}

void EpPipeline::forget_moved() {
  for (auto& batch : batches_) batch->forget_moved();
}

void EpPipeline::fill(Activation activation) {
  activation_ = activation;
  for (auto& batch : batches_) batch->fill(activation);
}

std::size_t EpPipeline::sample_of(const EpCase& batch) const {
  const double per_token =
      6.0 * static_cast<double>(batch.options.hidden * intermediate_) * batch.options.routing.topk;
  return std::min(batch.own_tokens(), static_cast<std::size_t>(std::max(1.0, kCheckFlops / per_token)));
}

std::size_t EpPipeline::checked_tokens() const {
  std::size_t sum = 0;
  for (const auto& batch : batches_) sum += sample_of(*batch);
  return sum;
}

EpOracle EpPipeline::oracle_of(const EpCase& batch) const {
  return {batch.options, batch.tokens, batch.placement, transport_.rank(), activation_};
}

long EpPipeline::wrong_with_stand_ins() const {
  long wrong = 0;
  for (const auto& batch : batches_) {
    EpOracle oracle = oracle_of(*batch);
    wrong += oracle.received(*batch).total() + oracle.combined(*batch).total();
  }
  return wrong;
}

long EpPipeline::count_wrong(std::uint64_t seed) const {
  long wrong = 0;
  for (const auto& batch : batches_) {
    wrong += oracle_of(*batch).received(*batch).total() +
             wrong_combined(*batch, mixed(seed, batch->options.routing.step));
  }
  return wrong;
}

long EpPipeline::wrong_combined(const EpCase& batch, std::uint64_t seed) const {
  const std::size_t hidden = batch.options.hidden;
  const std::size_t sample = sample_of(batch);
  // Three products in f32; their rounding errors are random and in proportion to the results' size.
  const double products = 16 * std::sqrt(static_cast<double>(hidden + intermediate_)) * 0x1p-24;
  const double roundings = bf16_roundings(batch.options.contract) * kBf16Rounding;
  std::vector<float> token(hidden);
  std::vector<std::uint16_t> row(hidden);
  std::vector<std::byte> wire(batch.row_bytes());
  long wrong = 0;
  for (std::size_t s = 0; s < sample; ++s) {
    // A random token from each of as many equal parts; if all tokens are checked, every one.
    const std::size_t first = s * batch.own_tokens() / sample;
    const std::size_t t = first + mixed(seed, s) % ((s + 1) * batch.own_tokens() / sample - first);
    encode_token(batch.options.dispatch, std::span(batch.input).subspan(t * hidden, hidden), wire);
    decode_token(batch.options.dispatch, wire, token);
    // Experts read rows of bf16, which cannot represent a token from fp8 exactly.
    narrow(token, row);
    widen(row, token);
    std::vector<double> expected(hidden), terms(hidden);
    double size = 0;
    for (std::size_t k = 0; k < batch.routes.experts_of(t).size(); ++k) {
      const double weight = double{batch.routes.weights_of(t)[k]};
      const int expert = batch.routes.experts_of(t)[k];
      const auto result =
          expert_reference(expert_weights(expert, hidden, intermediate_), token, intermediate_);
      for (std::size_t i = 0; i < hidden; ++i) {
        expected[i] += weight * result[i];
        terms[i] += weight * std::abs(result[i]);
      }
      size += weight * root_mean_square(result);
    }
    // Terms of opposite sign cancel, so an element's error is relative to the terms' size and not to its own.
    for (std::size_t i = 0; i < hidden; ++i) {
      const double found = double{from_bf16(batch.combined[t * hidden + i])};
      double tolerance = 1.03 * (roundings * terms[i] + products * size);
      if (batch.options.combine == WireDtype::fp8) {
        const std::size_t group = i / kScaleGroup * kScaleGroup;
        const double largest = *std::max_element(
            terms.begin() + static_cast<std::ptrdiff_t>(group),
            terms.begin() + static_cast<std::ptrdiff_t>(std::min(hidden, group + kScaleGroup)));
        tolerance += 1.1 * (kFp8Rounding * terms[i] + fp8_error(0, largest));
      }
      wrong += !(std::abs(found - expected[i]) <= tolerance);
    }
  }
  return wrong;
}

std::size_t EpPipeline::expert_rows() const {
  std::size_t rows = 0;
  for (const auto& batch : batches_) rows += batch->expert_rows.size() / batch->options.hidden;
  return rows;
}

double EpPipeline::flops() const { return experts_->flops(expert_rows()); }

}  // namespace nightsweep
