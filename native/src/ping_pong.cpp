#include "errors.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pattern.hpp"

namespace nightsweep {
namespace {

constexpr int kPingTag = 13;

class PingPong final : public Kernel {
 public:
  PingPong(const Run& run, const Json& identity)
      : transport_(run.transport),
        bytes_(identity["bytes"].get<std::size_t>()),
        kind_(parse_buffer_kind(identity["buffer"])) {
    if (transport_.ranks() < 2) throw Unsupported("a ping-pong needs two ranks");
    hold_memory(transport_, 2.0 * static_cast<double>(bytes_));
    buffer_ = transport_.allocate(kind_, bytes_);
    const int last = transport_.ranks() - 1;
    plays_ = transport_.rank() == 0 || transport_.rank() == last;
    serves_ = transport_.rank() == 0;
    peer_ = serves_ ? last : 0;
  }

  /** Checks the timed message, begun by either side: every byte that the other side received. */
  long check(bool spoil) override {
    if (!plays_) return 0;
    long wrong = 0;
    for (const bool serves : {serves_, !serves_}) {
      fill(serves ? transport_.rank() : kNobody);
      serves == serves_ ? run_timed("message") : bounce(serves);
      if (!serves) wrong += count_wrong(spoil);
    }
    return wrong;
  }

  std::vector<Component> components() override {
    return {{.name = "message",
             .operation = [this] { bounce(serves_); },
             .parts = 2,
             .state_bytes = static_cast<double>(bytes_),
             .bus_factor = 1,
             .least_bytes_written = static_cast<double>(bytes_)}};
  }

  Json realised() override { return {{"buffer", to_string(buffer_.realised())}}; }

 private:
  void bounce(bool serves) {
    if (!plays_) return;
    if (serves) transport_.send_now(buffer_.data(), bytes_, peer_, kPingTag);
    transport_.receive_now(buffer_.data(), bytes_, peer_, kPingTag);
    if (!serves) transport_.send_now(buffer_.data(), bytes_, peer_, kPingTag);
  }
  void fill(int rank) {
    std::vector<std::uint8_t> data(bytes_);
    for (std::size_t i = 0; i < bytes_; ++i) data[i] = moved_byte(rank, i);
    transport_.upload(buffer_.data(), data.data(), bytes_);
  }
  long count_wrong(bool spoil) {
    std::vector<std::uint8_t> data(bytes_);
    transport_.download(data.data(), buffer_.data(), bytes_);
    if (spoil) data.back() ^= 1U;
    long wrong = 0;
    for (std::size_t i = 0; i < bytes_; ++i) wrong += data[i] != moved_byte(peer_, i);
    return wrong;
  }

  Transport& transport_;
  std::size_t bytes_;
  BufferKind kind_;
  Buffer buffer_;
  bool plays_ = false;
  bool serves_ = false;
  int peer_ = 0;
};

}  // namespace

KernelKind ping_pong_kind() {
  return {"ping-pong",
          "a message between the first and the last rank, there and back; the time is one way's",
          {bytes_parameter("bytes of the message"), buffer_parameter(),
           ops_parameter("round trips between two looks at the clock")},
          [](const Run& run, const Json& identity) -> std::unique_ptr<Kernel> {
            return std::make_unique<PingPong>(run, identity);
          }};
}

}  // namespace nightsweep
