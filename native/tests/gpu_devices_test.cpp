#include "gpu_devices.hpp"

#include <gtest/gtest.h>

namespace nightsweep {

TEST(GpuDevices, RanksThatAreDealtOutInTurnsTakeTheirHostsDevicesInOrder) {
  const std::vector<std::string> cyclic = {"a", "b", "a", "b"};
  EXPECT_EQ(local_rank(cyclic, 0), 0);
  EXPECT_EQ(local_rank(cyclic, 1), 0);
  EXPECT_EQ(local_rank(cyclic, 2), 1);
  EXPECT_EQ(local_rank(cyclic, 3), 1);
  const std::vector<std::string> packed = {"a", "a", "b", "b"};
  EXPECT_EQ(local_rank(packed, 1), 1);
  EXPECT_EQ(local_rank(packed, 2), 0);
}

TEST(GpuDevices, OneVisibleDeviceIsTheRanksOwn) {
  EXPECT_EQ(device_of(3, 1), 0);
  EXPECT_EQ(device_of(3, 8), 3);
  EXPECT_EQ(device_of(2, 2), std::nullopt);
  EXPECT_EQ(device_of(0, 0), std::nullopt);
}

TEST(GpuDevices, TwoRanksOnOneDeviceAreNoticed) {
  EXPECT_EQ(shared_device({"a", "a", "b"}, {"01", "02", "01"}), std::nullopt);
  EXPECT_EQ(shared_device({"a", "b", "b"}, {"01", "01", "01"}), "b");
}

}  // namespace nightsweep
