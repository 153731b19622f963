// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs whose ranks share devices, on every MPI that was found: each device is in the merged file
// once.
#include <gmock/gmock.h>

#include "tests/mpi/mpi_jobs.h"

namespace roofmark::test {
namespace {

class DeviceJobs : public MpiJobs {
 protected:
  // Three ranks: the first two on one device.
  std::vector<DeviceInfo> Devices(const char* group) {
    const Ended ended = Launch({"-n", "3", Program("device_job")}, {{"ROOFMARK_COLLECTOR", "cupti"},
                                                                    {"ROOFMARK_GROUP", group},
                                                                    {"LD_LIBRARY_PATH", STAND_IN}});
    EXPECT_EQ(ended.status, 0) << ended.err;
    std::vector<DeviceInfo> devices = Read("run.json").run.devices;
    EXPECT_EQ(devices.size(), 2u) << ended.err;
    devices.resize(2);
    EXPECT_EQ(devices[0].processes, 2u);
    EXPECT_EQ(devices[1].processes, 1u);
    EXPECT_NE(devices[0].uuid, devices[1].uuid);
    return devices;
  }
  static std::optional<uint64_t> OfSolve(const DeviceInfo& device, DeviceMetric metric) {
    const DeviceRow* row = FindRow(device, "solve");
    EXPECT_NE(row, nullptr);
    return row == nullptr ? std::nullopt : ValueOf(device, *row, metric);
  }
};

// What MPI's own doings are nothing to is on one of them.
class DeviceJobsOnOpenMpi : public DeviceJobs {};
class DeviceJobsOnMpich : public DeviceJobs {};

TEST_P(DeviceJobsOnOpenMpi, KernelsOfRanksThatShareADeviceAddUp) {
  const std::vector<DeviceInfo> devices = Devices("auto");
  EXPECT_EQ(OfSolve(devices[0], DeviceMetric::kDpAdd), 10u + 20u);
  EXPECT_EQ(OfSolve(devices[1], DeviceMetric::kDpAdd), 30u);
}

TEST_P(DeviceJobsOnMpich, TrafficOfADeviceThatIsSharedHasNoValue) {
  const std::vector<DeviceInfo> devices = Devices("mem");
  EXPECT_EQ(OfSolve(devices[0], DeviceMetric::kDramReadBytes), std::nullopt);
  EXPECT_THAT(WhyNot(devices[0], DeviceMetric::kDramReadBytes), testing::HasSubstr("2 processes"));
  EXPECT_EQ(OfSolve(devices[1], DeviceMetric::kDramReadBytes), 100u);
}

INSTANTIATE_TEST_SUITE_P(Mpi, DeviceJobsOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, DeviceJobsOnMpich, testing::ValuesIn(test::OneMpi("mpich")), NameOf);

}  // namespace
}  // namespace roofmark::test
