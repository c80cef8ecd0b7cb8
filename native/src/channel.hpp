#pragma once
#include <map>
#include <vector>

#include "fault.hpp"
#include "transport.hpp"

namespace nightsweep {

/**
 * Messages of any length in chunks. A message of n bytes is ceil(n / chunk) sends and as many receives, all
 * posted before the first wait; received messages are counted by the bytes that moved. An error that the
 * transport calls transient is retried once and counted; a second one, or any other error, throws
 * TransportError.
 */
class Channel {
 public:
  /** The injected faults "transient" and "broken" fail the first posting once, or every posting. */
  Channel(Transport& transport, std::size_t chunk_bytes, Fault fault = Fault::none);

  /** A message from one rank, chunk by chunk. */
  class Incoming {
   public:
    /**
     * Waits for the next chunk and returns the bytes that moved. Throws TransportError if these are less than
     * the whole chunk.
     */
    std::size_t next();
    [[nodiscard]] std::size_t chunks() const { return posted_.size(); }

   private:
    friend class Channel;
    Transport* transport_ = nullptr;
    std::vector<Pending> posted_;
    std::size_t at_ = 0;
  };

  /** Posts all receives of a message. */
  Incoming receive(void* data, std::size_t bytes, int from);
  /** Posts all sends of a message; finish() waits for them. */
  void send(const void* data, std::size_t bytes, int to);
  /** Waits for everything sent. */
  void finish();
  /** Sends a message and receives another; both are done on return. */
  void exchange(const void* out, std::size_t out_bytes, int to, void* in, std::size_t in_bytes, int from);

  [[nodiscard]] std::size_t chunk_bytes() const { return chunk_; }
  [[nodiscard]] long receives_posted() const { return receives_; }
  [[nodiscard]] long retries() const { return retries_; }
  /** Bytes sent, by peer. */
  [[nodiscard]] const std::map<int, std::size_t>& sent() const { return sent_; }
  /** Resets all counts except retries. */
  void reset_counts();

 private:
  template <typename Post>
  Pending posted(const Post& post);
  void provoke();

  Transport& transport_;
  std::size_t chunk_;
  Fault fault_;
  std::vector<Pending> sends_;
  long receives_ = 0;
  long retries_ = 0;
  std::map<int, std::size_t> sent_;
};

}  // namespace nightsweep
