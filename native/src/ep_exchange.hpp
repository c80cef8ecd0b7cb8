#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "transport.hpp"

namespace nightsweep {

/** The rows that a rank sends to, or receives from, each other rank: numbers and start positions. */
struct Blocks {
  std::vector<std::size_t> counts, starts;

  [[nodiscard]] std::size_t rows() const { return counts.empty() ? 0 : starts.back() + counts.back(); }
  /** Blocks one after the other. */
  static Blocks packed(std::vector<std::size_t> counts);
};

/** How rows are moved; window 0 is the library's all-to-allv, otherwise the number of simultaneous peers. */
struct ExchangePath {
  int window = 0;
  [[nodiscard]] std::string name() const;
};

/** Moves rows of equal length, a multiple of 4 bytes, between all ranks. */
class RowExchange {
 public:
  RowExchange(Transport& transport, ExchangePath path) : transport_(transport), path_(path) {}

  [[nodiscard]] ExchangePath path() const { return path_; }
  void take(ExchangePath path) { path_ = path; }

  /** Exchanges how many rows each rank gets from every other. */
  std::vector<std::size_t> tell(const std::vector<std::size_t>& counts);

  /** Sends and receives blocks of sizes that both sides know. */
  void move(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
            std::size_t row_bytes);

  /** The number of rounds of a move. */
  [[nodiscard]] int rounds() const;
  /** Begins a round of a move, counted from 0; its messages are added to pending. */
  void post(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
            std::size_t row_bytes, int tag, int round, std::vector<Pending>& pending);

  /**
   * Moves rows if the receiver knows only the maximum: one message from each rank, whose length shows how
   * much it was.
   * @param capacity bytes between the starts of two ranks' messages in receive
   * @return bytes by sending rank
   */
  std::vector<std::size_t> move_unannounced(const std::byte* send, const std::vector<std::size_t>& bytes,
                                            std::byte* receive, std::size_t capacity);

 private:
  /** Peers in a round; all of them if messages replace the library's call. */
  [[nodiscard]] int at_once() const;
  void move_by_library(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                       std::size_t row_bytes);
  void move_by_windows(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                       std::size_t row_bytes);
  void keep_own(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                std::size_t row_bytes) const;
  /** Exchanges with the ranks at distances first to last - 1. */
  void post_distances(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                      std::size_t row_bytes, int first, int last, int tag, std::vector<Pending>& pending);

  Transport& transport_;
  ExchangePath path_;
  std::vector<Pending> pending_;
};

/**
 * Finds the fastest way to move these rows: each way is tried three times; its time is the maximum over
 * ranks, and the smallest of the three counts. Collective.
 */
ExchangePath fastest_path(Transport& transport, const Blocks& sent, const Blocks& received,
                          std::size_t row_bytes);

}  // namespace nightsweep
