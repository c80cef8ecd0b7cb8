#include "ep_layout.hpp"

#include <bit>
#include <numeric>
#include <stdexcept>

namespace nightsweep {

EpMode parse_ep_mode(const std::string& text) {
  if (text == "normal") return EpMode::normal;
  if (text == "low-latency") return EpMode::low_latency;
  throw std::invalid_argument("no mode '" + text + "'; expected normal or low-latency");
}

std::string to_string(EpMode mode) { return mode == EpMode::normal ? "normal" : "low-latency"; }

float CopyRecord::weight(std::int32_t i) const {
  return std::bit_cast<float>(words_[words_.size() / 2 + 1 + static_cast<std::size_t>(i)]);
}

void LayoutMaker::make(const Routes& routes, const Placement& placement, std::size_t first_token,
                       SendLayout& layout) {
  count(routes, placement, first_token, layout);
  layout.starts.resize(ranks_);
  std::exclusive_scan(layout.counts.begin(), layout.counts.end(), layout.starts.begin(), std::size_t{0});
  const std::size_t copies = layout.starts.back() + layout.counts.back();
  layout.tokens.resize(copies);
  layout.return_weights.resize(copies);
  layout.records.assign(copies * CopyRecord::words(slots_per_record(mode_, topk_)), 0);
  fill(routes, placement, layout);
}

void LayoutMaker::count(const Routes& routes, const Placement& placement, std::size_t first_token,
                        SendLayout& layout) {
  const auto k = static_cast<std::size_t>(topk_);
  layout.counts.assign(ranks_, 0);
  slots_.resize(routes.experts.size());
  seen_.assign(ranks_, 0);
  for (std::size_t choice = 0; choice < routes.experts.size(); ++choice) {
    const std::size_t token = choice / k;
    const int slot = placement.slot_for(routes.experts[choice], first_token + token);
    const auto rank = static_cast<std::size_t>(placement.rank_of(slot));
    slots_[choice] = slot;
    if (mode_ == EpMode::low_latency || seen_[rank] != token + 1) ++layout.counts[rank];
    seen_[rank] = token + 1;
  }
}

void LayoutMaker::fill(const Routes& routes, const Placement& placement, SendLayout& layout) {
  const auto k = static_cast<std::size_t>(topk_);
  const std::size_t most = slots_per_record(mode_, topk_);
  seen_.assign(ranks_, 0);
  next_ = layout.starts;
  open_.resize(ranks_);
  layout.copies_by_token.clear();
  layout.token_starts.clear();
  for (std::size_t choice = 0; choice < slots_.size(); ++choice) {
    const std::size_t token = choice / k;
    const auto rank = static_cast<std::size_t>(placement.rank_of(slots_[choice]));
    if (choice % k == 0) layout.token_starts.push_back(layout.copies_by_token.size());
    if (mode_ == EpMode::low_latency || seen_[rank] != token + 1) {
      open_[rank] = next_[rank]++;
      seen_[rank] = token + 1;
      layout.copies_by_token.push_back(open_[rank]);
    }
    const std::size_t copy = open_[rank];
    std::int32_t* record = &layout.records[copy * CopyRecord::words(most)];
    const auto i = static_cast<std::size_t>(record[1]++);
    record[0] = static_cast<std::int32_t>(token);
    record[2 + i] = slots_[choice] % placement.slots_per_rank();
    record[2 + most + i] = std::bit_cast<std::int32_t>(routes.weights[choice]);
    layout.tokens[copy] = static_cast<std::int32_t>(token);
    layout.return_weights[copy] = mode_ == EpMode::low_latency ? routes.weights[choice] : 1;
  }
  layout.token_starts.push_back(layout.copies_by_token.size());
}

}  // namespace nightsweep
