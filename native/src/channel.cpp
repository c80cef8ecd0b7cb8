#include "channel.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "errors.hpp"

namespace nightsweep {
namespace {

constexpr int kChannelTag = 11;

/** Calls f with the start and length of each chunk. */
template <typename F>
void each_chunk(std::size_t bytes, std::size_t chunk, const F& f) {
  for (std::size_t at = 0; at < bytes; at += chunk) f(at, std::min(chunk, bytes - at));
}

}  // namespace

Channel::Channel(Transport& transport, std::size_t chunk_bytes, Fault fault)
    : transport_(transport), chunk_(chunk_bytes), fault_(fault) {
  if (chunk_bytes == 0) throw BadCase("a chunk holds at least one byte");
}

void Channel::provoke() {
  if (fault_ == Fault::transient) {
    fault_ = Fault::none;
    throw TransportError("injected: once", true);
  }
  if (fault_ == Fault::broken) throw TransportError("injected: always", true);
}

template <typename Post>
Pending Channel::posted(const Post& post) {
  try {
    provoke();
    return post();
  } catch (const TransportError& e) {
    if (!e.transient) throw;
  }
  ++retries_;
  provoke();
  return post();
}

std::size_t Channel::Incoming::next() {
  Pending& pending = posted_.at(at_++);
  const std::size_t moved = transport_->wait(pending);
  if (moved != pending.bytes) {
    throw TransportError(
        std::to_string(moved) + " bytes arrived where " + std::to_string(pending.bytes) + " were expected",
        false);
  }
  return moved;
}

Channel::Incoming Channel::receive(void* data, std::size_t bytes, int from) {
  Incoming incoming;
  incoming.transport_ = &transport_;
  each_chunk(bytes, chunk_, [&](std::size_t at, std::size_t length) {
    incoming.posted_.push_back(posted(
        [&] { return transport_.receive(static_cast<std::byte*>(data) + at, length, from, kChannelTag); }));
    ++receives_;
  });
  return incoming;
}

void Channel::send(const void* data, std::size_t bytes, int to) {
  each_chunk(bytes, chunk_, [&](std::size_t at, std::size_t length) {
    sends_.push_back(posted(
        [&] { return transport_.send(static_cast<const std::byte*>(data) + at, length, to, kChannelTag); }));
    sent_[to] += length;
  });
}

void Channel::finish() {
  transport_.wait_all(sends_);
  sends_.clear();
}

void Channel::exchange(const void* out, std::size_t out_bytes, int to, void* in, std::size_t in_bytes,
                       int from) {
  Incoming incoming = receive(in, in_bytes, from);
  send(out, out_bytes, to);
  std::size_t moved = 0;
  for (std::size_t chunk = 0; chunk < incoming.chunks(); ++chunk) moved += incoming.next();
  if (moved != in_bytes) throw TransportError("a message is " + std::to_string(moved) + " bytes long", false);
  finish();
}

void Channel::reset_counts() {
  receives_ = 0;
  sent_.clear();
}

}  // namespace nightsweep
