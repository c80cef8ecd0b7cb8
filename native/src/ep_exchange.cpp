#include "ep_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "errors.hpp"

namespace nightsweep {
namespace {

constexpr int kCopiesTag = 11;
constexpr int kTries = 3;
constexpr std::size_t kWord = sizeof(std::int32_t);

int words(std::size_t rows, std::size_t row_bytes) {
  const std::size_t count = rows * (row_bytes / kWord);
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Unsupported("an all-to-allv reaches at most 2^31-1 words");
  }
  return static_cast<int>(count);
}

}  // namespace

Blocks Blocks::packed(std::vector<std::size_t> counts) {
  Blocks blocks{std::move(counts), {}};
  blocks.starts.resize(blocks.counts.size());
  std::exclusive_scan(blocks.counts.begin(), blocks.counts.end(), blocks.starts.begin(), std::size_t{0});
  return blocks;
}

std::string ExchangePath::name() const {
  return window == 0 ? "library" : "pairwise, " + std::to_string(window) + " at once";
}

std::vector<std::size_t> RowExchange::tell(const std::vector<std::size_t>& counts) {
  std::vector<std::int32_t> out(counts.begin(), counts.end());
  std::vector<std::int32_t> in(counts.size());
  transport_.all_to_all(out.data(), in.data(), 1, Dtype::i32);
  return {in.begin(), in.end()};
}

void RowExchange::move(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                       std::size_t row_bytes) {
  if (path_.window == 0) {
    move_by_library(send, sent, receive, received, row_bytes);
  } else {
    move_by_windows(send, sent, receive, received, row_bytes);
  }
}

void RowExchange::move_by_library(const std::byte* send, const Blocks& sent, std::byte* receive,
                                  const Blocks& received, std::size_t row_bytes) {
  Exchange e;
  for (std::size_t r = 0; r < sent.counts.size(); ++r) {
    e.send_counts.push_back(words(sent.counts[r], row_bytes));
    e.send_offsets.push_back(words(sent.starts[r], row_bytes));
    e.receive_counts.push_back(words(received.counts[r], row_bytes));
    e.receive_offsets.push_back(words(received.starts[r], row_bytes));
  }
  transport_.all_to_all_v(send, receive, e, Dtype::i32);
}

void RowExchange::move_by_windows(const std::byte* send, const Blocks& sent, std::byte* receive,
                                  const Blocks& received, std::size_t row_bytes) {
  for (int round = 0; round < rounds(); ++round) {
    pending_.clear();
    post(send, sent, receive, received, row_bytes, kCopiesTag, round, pending_);
    transport_.wait_all(pending_);
  }
}

int RowExchange::at_once() const {
  return path_.window > 0 ? path_.window : std::max(1, transport_.ranks() - 1);
}

int RowExchange::rounds() const {
  const int peers = transport_.ranks() - 1;
  return std::max(1, (peers + at_once() - 1) / at_once());
}

void RowExchange::post(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                       std::size_t row_bytes, int tag, int round, std::vector<Pending>& pending) {
  if (round == 0) keep_own(send, sent, receive, received, row_bytes);
  const int first = 1 + round * at_once();
  const int last = std::min(first + at_once(), transport_.ranks());
  post_distances(send, sent, receive, received, row_bytes, first, last, tag, pending);
}

void RowExchange::keep_own(const std::byte* send, const Blocks& sent, std::byte* receive,
                           const Blocks& received, std::size_t row_bytes) const {
  const auto own = static_cast<std::size_t>(transport_.rank());
  std::memcpy(receive + received.starts[own] * row_bytes, send + sent.starts[own] * row_bytes,
              sent.counts[own] * row_bytes);
}

void RowExchange::post_distances(const std::byte* send, const Blocks& sent, std::byte* receive,
                                 const Blocks& received, std::size_t row_bytes, int first, int last, int tag,
                                 std::vector<Pending>& pending) {
  const int ranks = transport_.ranks();
  const int rank = transport_.rank();
  for (int distance = first; distance < last; ++distance) {
    const int from = (rank - distance + ranks) % ranks;
    const auto f = static_cast<std::size_t>(from);
    if (received.counts[f] == 0) continue;
    pending.push_back(transport_.receive(receive + received.starts[f] * row_bytes,
                                         received.counts[f] * row_bytes, from, tag));
  }
  for (int distance = first; distance < last; ++distance) {
    const int to = (rank + distance) % ranks;
    const auto t = static_cast<std::size_t>(to);
    if (sent.counts[t] == 0) continue;
    pending.push_back(
        transport_.send(send + sent.starts[t] * row_bytes, sent.counts[t] * row_bytes, to, tag));
  }
}

std::vector<std::size_t> RowExchange::move_unannounced(const std::byte* send,
                                                       const std::vector<std::size_t>& bytes,
                                                       std::byte* receive, std::size_t capacity) {
  const int ranks = transport_.ranks();
  const int rank = transport_.rank();
  std::vector<std::size_t> came(bytes.size());
  pending_.clear();
  for (int distance = 1; distance < ranks; ++distance) {
    const int from = (rank - distance + ranks) % ranks;
    pending_.push_back(
        transport_.receive(receive + static_cast<std::size_t>(from) * capacity, capacity, from, kCopiesTag));
  }
  std::size_t offset = 0;
  for (int to = 0; to < ranks; ++to) {
    const std::size_t length = bytes[static_cast<std::size_t>(to)];
    if (to == rank) {
      std::memcpy(receive + static_cast<std::size_t>(to) * capacity, send + offset, length);
      came[static_cast<std::size_t>(to)] = length;
    } else {
      pending_.push_back(transport_.send(send + offset, length, to, kCopiesTag));
    }
    offset += length;
  }
  for (int distance = 1; distance < ranks; ++distance) {
    const auto from = static_cast<std::size_t>((rank - distance + ranks) % ranks);
    came[from] = transport_.wait(pending_[static_cast<std::size_t>(distance - 1)]);
  }
  transport_.wait_all(std::span(pending_).subspan(static_cast<std::size_t>(ranks - 1)));
  return came;
}

ExchangePath fastest_path(Transport& transport, const Blocks& sent, const Blocks& received,
                          std::size_t row_bytes) {
  const std::vector<std::byte> send(sent.rows() * row_bytes);
  std::vector<std::byte> receive(received.rows() * row_bytes);
  ExchangePath best;
  double least = std::numeric_limits<double>::infinity();
  for (int window = 0; window < transport.ranks(); window = window == 0 ? 1 : 2 * window) {
    RowExchange exchange(transport, {window});
    for (int i = 0; i < kTries; ++i) {
      transport.barrier();
      const double own =
          transport.seconds([&] { exchange.move(send.data(), sent, receive.data(), received, row_bytes); });
      const double slowest = transport.max_over_ranks({own}).front();
      if (slowest < least) {
        least = slowest;
        best = {window};
      }
    }
  }
  return best;
}

}  // namespace nightsweep
