#include "ep_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "number_formats.hpp"

namespace nightsweep {
namespace {

/**
 * Tolerance for intermediate roundings of f32, which are 2^16 times finer than those of bf16, and for
 * roundings of rounded results.
 */
constexpr double kSlack = 1.03;
/** Below the smallest normal number, bf16 has fixed steps that are not relative to the number. */
constexpr double kLeast = 0x1p-126;

}  // namespace

int bf16_roundings(EpContract contract) { return contract == EpContract::runtime_visible ? 4 : 2; }

double fp8_error(double magnitude, double largest_of_group) {
  return std::max(magnitude * kFp8Rounding, largest_of_group / double{kFp8Max} * 0x1p-10);
}

EpWrong& EpWrong::operator+=(const EpWrong& other) {
  counts += other.counts;
  metadata += other.metadata;
  multiplicity += other.multiplicity;
  weights += other.weights;
  payload += other.payload;
  routing += other.routing;
  encoding += other.encoding;
  combined += other.combined;
  input += other.input;
  return *this;
}

EpOracle::EpOracle(const EpOptions& options, const std::vector<std::size_t>& tokens,
                   const Placement& placement, int rank, Activation activation)
    : options_(options), tokens_(tokens), placement_(placement), rank_(rank), activation_(activation) {}

std::vector<EpOracle::Copy> EpOracle::copies_from(int source) const {
  const Routes routes = routes_of(options_.routing, source, tokens_);
  const std::size_t first = std::accumulate(tokens_.begin(), tokens_.begin() + source, std::size_t{0});
  std::vector<Copy> copies;
  for (std::size_t t = 0; t < routes.tokens(); ++t) {
    Copy here{static_cast<std::int32_t>(t), {}, {}};
    const auto experts = routes.experts_of(t);
    for (std::size_t k = 0; k < experts.size(); ++k) {
      // The rule of placement: tokens use the replicas in turn.
      const auto& replicas = placement_.slots_of(experts[k]);
      const int slot = replicas[(first + t) % replicas.size()];
      if (placement_.rank_of(slot) != rank_) continue;
      here.slots.push_back(slot - rank_ * placement_.slots_per_rank());
      here.weights.push_back(routes.weights_of(t)[k]);
      if (options_.mode == EpMode::low_latency) {
        copies.push_back(here);
        here.slots.clear();
        here.weights.clear();
      }
    }
    if (!here.slots.empty()) copies.push_back(here);
  }
  return copies;
}

EpWrong EpOracle::of_copy(const EpRound& done, std::size_t source, std::size_t i, const Copy& copy) const {
  EpWrong wrong;
  const CopyRecord record = done.record(source, i);
  const auto slots = static_cast<std::int32_t>(copy.slots.size());
  wrong.metadata += record.token() != copy.token;
  wrong.multiplicity += record.slots() != slots;
  for (std::int32_t s = 0; s < std::min(slots, record.slots()); ++s) {
    wrong.metadata += record.slot(s) != copy.slots[static_cast<std::size_t>(s)];
    wrong.weights += record.weight(s) != copy.weights[static_cast<std::size_t>(s)];
  }
  std::vector<std::uint16_t> token(options_.hidden);
  fill_token(activation_, options_.routing.step, static_cast<int>(source),
             static_cast<std::size_t>(copy.token), token);
  std::vector<std::byte> wire(done.row_bytes());
  encode_token(options_.dispatch, token, wire);
  wrong.payload += !std::ranges::equal(wire, done.received_row(source, i));
  return wrong;
}

EpWrong EpOracle::received(const EpRound& done) const {
  EpWrong wrong;
  for (std::size_t source = 0; source < tokens_.size(); ++source) {
    const auto expected = copies_from(static_cast<int>(source));
    const std::size_t came = done.received.counts[source];
    wrong.counts += std::labs(static_cast<long>(expected.size()) - static_cast<long>(came));
    // If the number of copies is wrong, none can be expected at its place.
    if (came != expected.size()) continue;
    for (std::size_t i = 0; i < came; ++i) wrong += of_copy(done, source, i, expected[i]);
  }
  return wrong;
}

bool EpOracle::routed_rightly(std::span<const std::int32_t> experts, std::span<const float> weights) const {
  const RoutingOptions& o = options_.routing;
  const std::set<std::int32_t> distinct(experts.begin(), experts.end());
  const double shared = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (distinct.size() != experts.size() || *distinct.begin() < 0 || *distinct.rbegin() >= o.experts ||
      std::ranges::min(weights) <= 0 || std::abs(shared - 1) > 1e-5) {
    return false;
  }
  // The rank of an expert without any placement.
  const auto home = [&](std::size_t i) { return experts[i] / (o.experts / o.ranks); };
  for (std::size_t i = 1; i < experts.size(); ++i) {
    if (o.routing == Routing::balanced && home(i) != (home(i - 1) + 1) % o.ranks) return false;
    if (o.routing == Routing::balanced_rank_local && home(i) != home(0)) return false;
  }
  return o.routing != Routing::hotspot_single || distinct.contains(0);
}

bool EpOracle::element_wrong(double found, double expected, double tolerance) {
  const double share = std::abs(found - expected) / tolerance;
  // The negated comparison counts a NaN as wrong.
  if (!(share <= max_error_share_)) max_error_share_ = share;
  return !(share <= 1);
}

EpWrong EpOracle::combined(const EpRound& done) {
  EpWrong wrong;
  const std::size_t hidden = options_.hidden;
  const std::size_t own = tokens_[static_cast<std::size_t>(rank_)];
  const Routes routes = routes_of(options_.routing, rank_, tokens_);
  const double roundings = bf16_roundings(options_.contract) * kBf16Rounding * kSlack;
  std::vector<std::uint16_t> token(hidden);
  std::vector<std::byte> wire(done.row_bytes());
  std::vector<float> sent(hidden);
  for (std::size_t t = 0; t < own; ++t) {
    fill_token(activation_, options_.routing.step, rank_, t, token);
    wrong.input += std::memcmp(token.data(), &done.input[t * hidden], hidden * sizeof(token[0])) != 0;
    wrong.routing += !routed_rightly(routes.experts_of(t), routes.weights_of(t));
    // Experts see the token as it was sent.
    encode_token(options_.dispatch, token, wire);
    decode_token(options_.dispatch, wire, sent);
    double factor = 0;
    for (std::size_t k = 0; k < routes.experts_of(t).size(); ++k) {
      factor += double{routes.weights_of(t)[k]} * double{expert_scale(routes.experts_of(t)[k])};
    }
    double largest = 0, largest_sent = 0;
    for (std::size_t column = 0; column < hidden; ++column) {
      if (column % kScaleGroup == 0) {
        largest = largest_sent = 0;
        for (std::size_t i = column; i < std::min(hidden, column + kScaleGroup); ++i) {
          largest = std::max(largest, std::abs(double{from_bf16(token[i])}));
          largest_sent = std::max(largest_sent, std::abs(double{sent[i]}));
        }
      }
      const double given = double{from_bf16(token[column])};
      const double travelled = double{sent[column]};
      const double may =
          options_.dispatch == WireDtype::fp8 ? kSlack * fp8_error(std::abs(given), largest) : 0;
      wrong.encoding += !(std::abs(travelled - given) <= may);
      const double back = options_.combine == WireDtype::fp8
                              ? kSlack * factor * fp8_error(std::abs(travelled), largest_sent)
                              : 0;
      const double expected = factor * travelled;
      wrong.combined += element_wrong(double{from_bf16(done.combined[t * hidden + column])}, expected,
                                      roundings * std::abs(expected) + back + kLeast);
    }
  }
  return wrong;
}

}  // namespace nightsweep
