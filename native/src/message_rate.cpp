#include <algorithm>
#include <array>

#include "errors.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pattern.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

constexpr int kMessageTag = 17;
constexpr int kAcknowledge = 18;
/** Approximate memory of the program and the library for a pending message. */
constexpr double kPerMessage = 256;

/**
 * Each rank of the first half sends a window of messages, all at once, to its partner in the second half,
 * which answers when it has all of them. With an odd number of ranks, the middle one only waits.
 */
class MessageRate final : public Kernel {
 public:
  MessageRate(const Run& run, const Json& identity)
      : transport_(run.transport),
        bytes_(identity["bytes"].get<std::size_t>()),
        window_(identity["window"].get<std::size_t>()),
        pairs_(transport_.ranks() / 2) {
    if (pairs_ < 1)
      throw Unsupported("messages go from one half of the ranks to the other: two ranks at least");
    const int first_receiver = transport_.ranks() - pairs_;
    sends_ = transport_.rank() < pairs_;
    receives_ = transport_.rank() >= first_receiver;
    peer_ = sends_ ? transport_.rank() + first_receiver : transport_.rank() - first_receiver;
    const BufferKind kind = parse_buffer_kind(identity["buffer"]);
    // The data, the checks' random numbers, and the pending messages.
    hold_memory(transport_, static_cast<double>(window_) * (3.0 * static_cast<double>(bytes_) + kPerMessage));
    pending_.resize(window_);
    buffer_ = transport_.allocate(kind, window_ * bytes_);
    answer_ = transport_.allocate(kind, sizeof(std::uint32_t));
  }

  /**
   * Checks every byte of every message of a window: data that was sent twice, or to another place, differs.
   */
  long check(bool spoil) override {
    fill(sends_ ? transport_.rank() : kNobody, spoil);
    run_timed("window");
    if (!receives_) return 0;
    std::vector<std::uint8_t> found(window_ * bytes_);
    transport_.download(found.data(), buffer_.data(), found.size());
    long wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] != moved_byte(peer_, i);
    return wrong;
  }

  std::vector<Component> components() override {
    const auto moved = static_cast<double>(window_ * bytes_);
    return {{.name = "window",
             .operation = [this] { exchange(); },
             .state_bytes = moved * pairs_,
             .bus_factor = 1,
             .least_bytes_written = moved}};
  }

  Json realised() override { return {{"buffer", to_string(buffer_.realised())}}; }
  Json facts() override { return {{"pairs", pairs_}}; }
  Json derived(const std::vector<Component>& /*components*/, const std::vector<Samples>& samples) override {
    const double seconds = summarise(samples.front().max_over_ranks).p50;
    return {{"messagesPerSecond", static_cast<double>(window_) * pairs_ / seconds}};
  }

 private:
  void exchange() {
    if (sends_) {
      for (std::size_t m = 0; m < window_; ++m)
        pending_[m] = transport_.send(message(m), bytes_, peer_, kMessageTag);
      transport_.wait_all(pending_);
      transport_.receive_now(answer_.data(), sizeof(std::uint32_t), peer_, kAcknowledge);
    } else if (receives_) {
      for (std::size_t m = 0; m < window_; ++m)
        pending_[m] = transport_.receive(message(m), bytes_, peer_, kMessageTag);
      transport_.wait_all(pending_);
      transport_.send_now(answer_.data(), sizeof(std::uint32_t), peer_, kAcknowledge);
    }
  }
  [[nodiscard]] std::byte* message(std::size_t m) const { return buffer_.as<std::byte>() + m * bytes_; }
  /** @param spoil change the last byte, which the receiver must detect */
  void fill(int rank, bool spoil) {
    std::vector<std::uint8_t> data(window_ * bytes_);
    if (rank != kNobody) {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = moved_byte(rank, i);
    }
    if (spoil) data.back() ^= 1U;
    transport_.upload(buffer_.data(), data.data(), data.size());
  }

  Transport& transport_;
  std::size_t bytes_, window_;
  int pairs_;
  bool sends_ = false, receives_ = false;
  int peer_ = 0;
  Buffer buffer_, answer_;
  std::vector<Pending> pending_;
};

}  // namespace

KernelKind message_rate_kind() {
  using enum Parameter::Type;
  return {"message-rate",
          "windows of messages under way at once, from each rank of one half to its partner in the other",
          {bytes_parameter("bytes of a message"),
           {"window", "--window", integer, 64, "messages under way at once"},
           buffer_parameter(),
           ops_parameter("windows between two looks at the clock")},
          [](const Run& run, const Json& identity) -> std::unique_ptr<Kernel> {
            return std::make_unique<MessageRate>(run, identity);
          }};
}

}  // namespace nightsweep
