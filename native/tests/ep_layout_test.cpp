#include "ep_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "ep_tokens.hpp"
#include "number_formats.hpp"

namespace nightsweep {
namespace {

constexpr int kRanks = 4;
constexpr int kTopk = 6;
const RoutingOptions kOptions{Routing::zipf, kRanks, 32, kTopk, 5};
const std::vector<std::size_t> kTokens = {10, 0, 33, 7};

/** Every (token, expert, weight) that a layout delivers, and how often. */
std::map<std::tuple<int, int, float>, int> delivered(EpMode mode, const SendLayout& layout,
                                                     const Placement& placement) {
  std::map<std::tuple<int, int, float>, int> all;
  const std::size_t words = CopyRecord::words(slots_per_record(mode, kTopk));
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    for (std::size_t c = layout.starts[rank]; c < layout.starts[rank] + layout.counts[rank]; ++c) {
      const CopyRecord record(std::span(layout.records).subspan(c * words, words));
      EXPECT_EQ(record.token(), layout.tokens[c]);
      for (int i = 0; i < record.slots(); ++i) {
        const int slot = static_cast<int>(rank) * placement.slots_per_rank() + record.slot(i);
        ++all[{record.token(), placement.expert_in(slot), record.weight(i)}];
      }
    }
  }
  return all;
}

}  // namespace

TEST(Layout, EveryChoiceIsDeliveredOnceWithItsWeight) {
  const Placement placement = balance(expert_loads(kOptions, kTokens), 4, kRanks);
  for (const EpMode mode : {EpMode::normal, EpMode::low_latency}) {
    LayoutMaker maker(mode, kTopk, kRanks);
    SendLayout layout;
    for (const int rank : {2, 0, 1, 3}) {
      const Routes routes = routes_of(kOptions, rank, kTokens);
      maker.make(routes, placement, 17, layout);
      std::map<std::tuple<int, int, float>, int> expected;
      for (std::size_t choice = 0; choice < routes.experts.size(); ++choice) {
        ++expected[{static_cast<int>(choice) / kTopk, routes.experts[choice], routes.weights[choice]}];
      }
      EXPECT_EQ(delivered(mode, layout, placement), expected) << to_string(mode) << " rank " << rank;
    }
  }
}

TEST(Layout, NormalSendsOneCopyARankAndLowLatencyOneAnExpert) {
  const Placement placement =
      place(PlacementKind::packed, expert_loads(kOptions, kTokens), std::vector<int>(kRanks));
  const Routes routes = routes_of(kOptions, 2, kTokens);
  SendLayout layout;
  LayoutMaker(EpMode::low_latency, kTopk, kRanks).make(routes, placement, 0, layout);
  EXPECT_EQ(layout.copies(), 33U * kTopk);
  LayoutMaker(EpMode::normal, kTopk, kRanks).make(routes, placement, 0, layout);
  std::set<std::pair<int, int>> pairs;
  for (std::size_t choice = 0; choice < routes.experts.size(); ++choice) {
    pairs.emplace(static_cast<int>(choice) / kTopk,
                  placement.rank_of(placement.slot_for(routes.experts[choice], 0)));
  }
  EXPECT_EQ(layout.copies(), pairs.size());
  EXPECT_EQ(std::accumulate(layout.counts.begin(), layout.counts.end(), std::size_t{0}), layout.copies());
}

TEST(Tokens, BytesPerCopyAreTheGoldenValues) {
  EXPECT_EQ(bytes_per_copy(WireDtype::bf16, 7168), 14336U);
  EXPECT_EQ(bytes_per_copy(WireDtype::fp8, 7168), 7392U);
}

TEST(Tokens, DifferByRankTokenColumnAndStep) {
  std::vector<std::uint16_t> one(256), other(256);
  fill_token(Activation::normal, 1, 2, 3, one);
  for (const auto& [step, rank, token] : {std::tuple(1, 2, 4), std::tuple(1, 3, 3), std::tuple(2, 2, 3)}) {
    fill_token(Activation::normal, static_cast<std::uint64_t>(step), rank, static_cast<std::size_t>(token),
               other);
    int same = 0;
    for (std::size_t i = 0; i < one.size(); ++i) same += one[i] == other[i];
    EXPECT_LT(same, 8);
  }
  std::set<std::uint16_t> values(one.begin(), one.end());
  EXPECT_GT(values.size(), 200U);
  EXPECT_FALSE(values.contains(0));
}

TEST(Tokens, ActivationsAreWhatTheyAreCalled) {
  std::vector<std::uint16_t> row(7168);
  const auto magnitudes = [&](Activation a) {
    fill_token(a, 1, 0, 0, row);
    double sum = 0, most = 0, least = INFINITY;
    for (const auto bits : row) {
      const double m = std::abs(from_bf16(bits));
      sum += m * m;
      most = std::max(most, m);
      least = std::min(least, m);
    }
    return std::tuple(std::sqrt(sum / static_cast<double>(row.size())), most, least);
  };
  EXPECT_NEAR(std::get<0>(magnitudes(Activation::normal)), 1, 0.05);
  EXPECT_EQ(std::get<1>(magnitudes(Activation::zeros)), 0);
  EXPECT_NEAR(std::get<0>(magnitudes(Activation::small_amplitude)) * 4096, 1, 0.05);
  const auto [rms, most, least] = magnitudes(Activation::wide_dynamic_range);
  EXPECT_GT(most / least, 1e7);
  fill_token(Activation::fp8_saturation, 1, 0, 0, row);
  std::vector<std::uint8_t> codes(row.size());
  std::vector<float> scales(row.size() / kScaleGroup);
  quantise(row, codes, scales);
  for (std::size_t group = 0; group < scales.size(); ++group) {
    int largest = 0, subnormal = 0;
    for (std::size_t i = 0; i < kScaleGroup; ++i) {
      largest += (codes[group * kScaleGroup + i] & 0x7F) == 0x7E;
      subnormal += (codes[group * kScaleGroup + i] & 0x7F) < 0x08;
    }
    EXPECT_GE(largest, 1);
    EXPECT_GT(subnormal, 0);
  }
}

TEST(Tokens, SurviveTheWire) {
  std::vector<std::uint16_t> row(512);
  fill_token(Activation::wide_dynamic_range, 9, 1, 1, row);
  for (const WireDtype dtype : {WireDtype::bf16, WireDtype::fp8}) {
    std::vector<std::byte> wire(bytes_per_copy(dtype, row.size()));
    encode_token(dtype, row, wire);
    std::vector<float> back(row.size());
    decode_token(dtype, wire, back);
    double error = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double v = from_bf16(row[i]);
      error = std::max(error, std::abs(back[i] - v) / (std::abs(v) + 1));
    }
    EXPECT_EQ(error == 0, dtype == WireDtype::bf16);
    EXPECT_LT(error, 1.0 / 16);
  }
}

}  // namespace nightsweep
