#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ep_placement.hpp"
#include "ep_routing.hpp"

namespace nightsweep {

/**
 * `normal` sends a token once to each rank with any of its experts, with the weights, and gets one partial
 * sum back; `low_latency` sends it once for each expert and sums at the source.
 */
enum class EpMode { normal, low_latency };

EpMode parse_ep_mode(const std::string& text);
std::string to_string(EpMode mode);

/**
 * Metadata of each copy: the token's number at its source, and the receiver's slots for it with their
 * weights. A view of words: token, number of slots, slots, weights; room for as many as the mode allows.
 */
class CopyRecord {
 public:
  explicit CopyRecord(std::span<const std::int32_t> words) : words_(words) {}

  /** Words of a record with room for this many slots. */
  static constexpr std::size_t words(std::size_t most) { return 2 + 2 * most; }

  [[nodiscard]] std::int32_t token() const { return words_[0]; }
  [[nodiscard]] std::int32_t slots() const { return words_[1]; }
  /** A slot of the receiving rank, from 0. */
  [[nodiscard]] std::int32_t slot(std::int32_t i) const { return words_[static_cast<std::size_t>(2 + i)]; }
  [[nodiscard]] float weight(std::int32_t i) const;

 private:
  std::span<const std::int32_t> words_;
};

/** Slots that a record has room for. */
constexpr std::size_t slots_per_record(EpMode mode, int topk) {
  return mode == EpMode::normal ? static_cast<std::size_t>(topk) : 1;
}

/** The copies that one rank sends, ordered by receiver and then by token. */
struct SendLayout {
  /** By receiving rank: number of copies and position of the first. */
  std::vector<std::size_t> counts, starts;
  /** The token of each copy. */
  std::vector<std::int32_t> tokens;
  /**
   * The factor with which the source multiplies a returned copy: 1 in normal mode, where the receiver has
   * applied the weights.
   */
  std::vector<float> return_weights;
  /** The words of all records. */
  std::vector<std::int32_t> records;

  /** The copies ordered by token, and each token's start in them; one more start than tokens. */
  std::vector<std::size_t> copies_by_token, token_starts;

  [[nodiscard]] std::size_t copies() const { return tokens.size(); }
  [[nodiscard]] std::span<const std::size_t> copies_of(std::size_t token) const {
    return std::span(copies_by_token)
        .subspan(token_starts[token], token_starts[token + 1] - token_starts[token]);
  }
};

/** Computes a rank's layout of copies; reuses its memory. */
class LayoutMaker {
 public:
  LayoutMaker(EpMode mode, int topk, int ranks)
      : mode_(mode), topk_(topk), ranks_(static_cast<std::size_t>(ranks)) {}

  /**
   * @param first_token number of the rank's first token among those of all ranks, which selects replicas in
   * turn
   */
  void make(const Routes& routes, const Placement& placement, std::size_t first_token, SendLayout& layout);

 private:
  void count(const Routes& routes, const Placement& placement, std::size_t first_token, SendLayout& layout);
  void fill(const Routes& routes, const Placement& placement, SendLayout& layout);

  EpMode mode_;
  int topk_;
  std::size_t ranks_;
  /** The slot of every choice. */
  std::vector<std::int32_t> slots_;
  /**
   * By rank: one more than the last token sent there; the position of the next copy; the position of that
   * token's copy.
   */
  std::vector<std::size_t> seen_, next_, open_;
};

}  // namespace nightsweep
