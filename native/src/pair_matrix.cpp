#include "errors.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pattern.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

constexpr int kPairTag = 19;

/** A ping-pong between any two ranks, one pair after the other, while the others are idle. */
class PairMatrix final : public Kernel {
 public:
  PairMatrix(const Run& run, const Json& identity)
      : transport_(run.transport), bytes_(identity["bytes"].get<std::size_t>()) {
    if (transport_.ranks() < 2) throw Unsupported("a pair needs two ranks");
    hold_memory(transport_, 2.0 * static_cast<double>(bytes_));
    buffer_ = transport_.allocate(parse_buffer_kind(identity["buffer"]), bytes_);
    for (int a = 0; a < transport_.ranks(); ++a) {
      for (int b = a + 1; b < transport_.ranks(); ++b) pairs_.push_back({a, b});
    }
  }

  /**
   * Checks the timed messages, begun by either rank of each pair: every byte that the other rank received.
   */
  long check(bool spoil) override {
    long wrong = 0;
    const std::vector<Component> timed = components();
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      wrong += wrong_after(pairs_[p], spoil, timed[p].operation);
      const Pair back{pairs_[p].b, pairs_[p].a};
      wrong += wrong_after(back, spoil, [&] { bounce(back); });
    }
    return wrong;
  }

  std::vector<Component> components() override {
    std::vector<Component> all;
    for (const Pair& pair : pairs_) {
      all.push_back({.name = std::to_string(pair.a) + "-" + std::to_string(pair.b),
                     .operation = [this, pair] { bounce(pair); },
                     .parts = 2,
                     .state_bytes = static_cast<double>(bytes_),
                     .bus_factor = 1,
                     .least_bytes_written = static_cast<double>(bytes_)});
    }
    return all;
  }

  Json realised() override { return {{"buffer", to_string(buffer_.realised())}}; }

  /** Each pair's bandwidth in one direction, and the slowest pair. */
  Json derived(const std::vector<Component>& /*components*/, const std::vector<Samples>& samples) override {
    Json pairs = Json::array();
    double least = 0;
    Json slowest;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const double bandwidth = static_cast<double>(bytes_) / summarise(samples[p].max_over_ranks).p50;
      pairs.push_back({{"from", pairs_[p].a}, {"to", pairs_[p].b}, {"bytesPerSecond", bandwidth}});
      if (p == 0 || bandwidth < least) slowest = pairs.back();
      least = slowest["bytesPerSecond"];
    }
    return {{"pairs", pairs}, {"slowestPair", slowest}};
  }

 private:
  struct Pair {
    int a, b;
  };

  void bounce(const Pair& pair) {
    const int me = transport_.rank();
    if (me == pair.a) {
      transport_.send_now(buffer_.data(), bytes_, pair.b, kPairTag);
      transport_.receive_now(buffer_.data(), bytes_, pair.b, kPairTag);
    } else if (me == pair.b) {
      transport_.receive_now(buffer_.data(), bytes_, pair.a, kPairTag);
      transport_.send_now(buffer_.data(), bytes_, pair.a, kPairTag);
    }
  }

  long wrong_after(const Pair& pair, bool spoil, const std::function<void()>& message) {
    const int me = transport_.rank();
    if (me == pair.a) fill(me, spoil);
    if (me == pair.b) fill(kNobody, false);
    message();
    if (me != pair.b) return 0;
    std::vector<std::uint8_t> found(bytes_);
    transport_.download(found.data(), buffer_.data(), bytes_);
    long wrong = 0;
    for (std::size_t i = 0; i < bytes_; ++i) wrong += found[i] != moved_byte(pair.a, i);
    return wrong;
  }

  void fill(int rank, bool spoil) {
    std::vector<std::uint8_t> data(bytes_);
    for (std::size_t i = 0; i < bytes_; ++i) data[i] = moved_byte(rank, i);
    if (spoil) data.back() ^= 1U;
    transport_.upload(buffer_.data(), data.data(), bytes_);
  }

  Transport& transport_;
  std::size_t bytes_;
  Buffer buffer_;
  std::vector<Pair> pairs_;
};

}  // namespace

KernelKind pair_matrix_kind() {
  return {"pair-matrix",
          "a message between every two ranks, there and back, one pair at a time; the time is one way's",
          {bytes_parameter("bytes of the message"), buffer_parameter(),
           ops_parameter("round trips between two looks at the clock")},
          [](const Run& run, const Json& identity) -> std::unique_ptr<Kernel> {
            return std::make_unique<PairMatrix>(run, identity);
          }};
}

}  // namespace nightsweep
