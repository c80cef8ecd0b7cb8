#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "transport.hpp"

namespace nightsweep {

/** What a rank sends to, or receives from, every other: rows, and where the first is. */
struct Blocks {
  std::vector<std::size_t> counts, starts;

  [[nodiscard]] std::size_t rows() const { return counts.empty() ? 0 : starts.back() + counts.back(); }
  /** One after the other. */
  static Blocks packed(std::vector<std::size_t> counts);
};

/** How rows are moved; window 0 is the library's all-to-allv, else so many peers at once. */
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

  /** What each rank is sent by every other, told to it. */
  std::vector<std::size_t> tell(const std::vector<std::size_t>& counts);

  /** Sends and receives blocks whose sizes both sides know. */
  void move(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
            std::size_t row_bytes);

  /** In how many rounds a move reaches all peers. */
  [[nodiscard]] int rounds() const;
  /** Begins a move's round, the first of them 0; its messages are added to pending, to be waited for. */
  void post(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
            std::size_t row_bytes, int tag, int round, std::vector<Pending>& pending);

  /**
   * The receiver knows only the most that may come: one message a pair, and its length says how much it was.
   *
   * @param capacity bytes between the places in receive where two ranks' messages start
   * @return bytes by sending rank
   */
  std::vector<std::size_t> move_unannounced(const std::byte* send, const std::vector<std::size_t>& bytes,
                                            std::byte* receive, std::size_t capacity);

 private:
  /** Peers of a round: all where messages stand for the library's call. */
  [[nodiscard]] int at_once() const;
  void move_by_library(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                       std::size_t row_bytes);
  void move_by_windows(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                       std::size_t row_bytes);
  void keep_own(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                std::size_t row_bytes) const;
  /** Receives from, and sends to, the ranks at the distances from first to last - 1. */
  void post_distances(const std::byte* send, const Blocks& sent, std::byte* receive, const Blocks& received,
                      std::size_t row_bytes, int first, int last, int tag, std::vector<Pending>& pending);

  Transport& transport_;
  ExchangePath path_;
  std::vector<Pending> pending_;
};

/**
 * The fastest way of moving these rows: each is tried, its time is the maximum over ranks, the least of three
 * counts. Collective.
 */
ExchangePath fastest_path(Transport& transport, const Blocks& sent, const Blocks& received,
                          std::size_t row_bytes);

}  // namespace nightsweep
