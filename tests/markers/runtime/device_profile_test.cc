// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/device_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/recording.h"
#include "tests/support/says.h"

namespace roofmark::runtime {
namespace {

// Two GPUs, on one of which nothing could be counted.
class TwoGpus final : public Collector {
 public:
  std::string_view Name() const override { return "gpus"; }
  Result<std::vector<OfferedMetric>> Open(const Settings&) override {
    return std::vector<OfferedMetric>();
  }
  std::vector<counts::DeviceCounts> Devices() const override {
    std::vector<counts::DeviceCounts> devices(2);
    devices[0].uuid = "GPU-1";
    devices[0].name = "good";
    devices[0].paths[1].ranges = 1;
    devices[0].paths[1].values[static_cast<size_t>(DeviceMetric::kDpAdd)] = 42;
    devices[1].uuid = "GPU-2";
    devices[1].name = "mute";
    devices[1].missing.fill("another profiler has it");
    return devices;
  }
};

TEST(DeviceProfile, AGpuOnWhichNothingWasCountedIsNamed) {
  FoldInput input;
  input.nodes = {{}, {0, 1, RegionKind::kTeam, "f.c", 3, 2}};
  input.names = {"", "a"};
  RunInfo run;
  run.hosts.emplace_back();
  AddDevices(TwoGpus(), input, run);
  ASSERT_EQ(run.devices.size(), 2u);
  EXPECT_THAT(run.warnings, testing::ElementsAre(test::Says(message::kNothingCountedOnGpu, "mute",
                                                            "GPU-2", "another profiler has it")));
}

}  // namespace
}  // namespace roofmark::runtime
