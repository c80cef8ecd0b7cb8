// Runs on two ranks: mpirun -np 2 channel-test. A failure on either rank ends both with its code.
#include <gtest/gtest.h>

#include <numeric>

#include "channel.hpp"
#include "errors.hpp"

namespace nightsweep {
namespace {

constexpr std::size_t kChunk = 64;

Transport& transport() { return mpi_transport(nullptr, nullptr); }
int peer() { return 1 - transport().rank(); }

std::vector<std::uint8_t> bytes_of(int rank, std::size_t length) {
  std::vector<std::uint8_t> data(length);
  std::iota(data.begin(), data.end(), static_cast<std::uint8_t>(rank * 101 + 1));
  return data;
}

class Lengths : public testing::TestWithParam<std::size_t> {};

TEST_P(Lengths, ArriveWholeInAsManyChunksAsAreNeeded) {
  const std::size_t length = GetParam();
  Channel channel(transport(), kChunk);
  const auto out = bytes_of(transport().rank(), length);
  // One extra byte reveals writes beyond the end.
  std::vector<std::uint8_t> in(length + 1, 0xee);
  channel.exchange(out.data(), length, peer(), in.data(), length, peer());
  EXPECT_EQ(channel.receives_posted(), static_cast<long>((length + kChunk - 1) / kChunk));
  EXPECT_EQ(in.back(), 0xee);
  in.pop_back();
  EXPECT_EQ(in, bytes_of(peer(), length));
  EXPECT_EQ(channel.retries(), 0);
}

INSTANTIATE_TEST_SUITE_P(Channel, Lengths,
                         testing::Values(0, 1, 4, kChunk - 1, kChunk, kChunk + 1, 2 * kChunk - 1, 2 * kChunk,
                                         2 * kChunk + 1, 100000));

TEST(Channel, TriesATransientErrorOnceMoreAndCountsIt) {
  Channel channel(transport(), kChunk, Fault::transient);
  const auto out = bytes_of(transport().rank(), 200);
  std::vector<std::uint8_t> in(200);
  channel.exchange(out.data(), out.size(), peer(), in.data(), in.size(), peer());
  EXPECT_EQ(in, bytes_of(peer(), 200));
  EXPECT_EQ(channel.retries(), 1);
}

TEST(Channel, GivesUpAtTheSecondError) {
  Channel channel(transport(), kChunk, Fault::broken);
  std::vector<std::uint8_t> in(200);
  EXPECT_THROW(channel.receive(in.data(), in.size(), peer()), TransportError);
  EXPECT_EQ(channel.retries(), 1);
}

TEST(Channel, NoticesAMessageThatIsTooShort) {
  Channel channel(transport(), kChunk);
  std::vector<std::uint8_t> data(kChunk);
  if (transport().rank() == 0) {
    channel.send(data.data(), kChunk - 4, 1);
    channel.finish();
  } else {
    Channel::Incoming incoming = channel.receive(data.data(), kChunk, 0);
    EXPECT_THROW(incoming.next(), TransportError);
  }
}

}  // namespace
}  // namespace nightsweep

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  nightsweep::mpi_transport(&argc, &argv);
  return RUN_ALL_TESTS();
}
