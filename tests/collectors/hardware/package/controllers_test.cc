// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/controllers.h"

#include <cerrno>
#include <set>

#include "collectors/hardware/package/weigh.h"
#include "tests/collectors/hardware/package/on_packages.h"

namespace roofmark::package {
namespace {

using testing::HasSubstr;
using threads::Sum;
using threads::Total;

class ControllersTest : public OnPackages {
 protected:
  std::vector<Total> Read(const Controllers& controllers) {
    std::vector<Total> totals(plan_.events.size());
    EXPECT_TRUE(controllers.Read(totals.data()));
    return totals;
  }
};

TEST_F(ControllersTest, EachControllerOfEachPackageIsReadOnce) {
  for (const uint32_t package : {0u, 1u}) {
    const auto controllers = Open(package);
    ASSERT_TRUE(controllers) << controllers.error();
    EXPECT_EQ(controllers->Events().size(), 2 * kControllers);
    const std::vector<Total> before = Read(*controllers);
    Move(0);
    Move(1);
    const std::vector<Total> after = Read(*controllers);
    for (size_t i = 0; i < kControllers; ++i) {
      const auto count = [&](uint64_t config) {
        const uint32_t event = EventOf(Controller(i), config);
        return after[event].value - before[event].value;
      };
      EXPECT_EQ(count(kReads), LinesOf(package, i)) << package << " " << i;
      EXPECT_EQ(count(kWrites), i + 1) << package << " " << i;
    }
  }
}

TEST_F(ControllersTest, BytesAreSummedOverControllersAndKeptApart) {
  const auto controllers = Open(1);
  ASSERT_TRUE(controllers);
  Move(1);
  const std::vector<Total> totals = Read(*controllers);
  std::vector<Sum> sums(totals.size());
  for (size_t i = 0; i < totals.size(); ++i) sums[i] = threads::Difference({}, totals[i]);
  EXPECT_EQ(TotalBytes(plan_, sums.data()).value, AllReads(1) + kAllWrites);
  const std::vector<uint64_t> bytes = BytesByController(plan_, controllers->Events(), sums.data());
  ASSERT_EQ(bytes.size(), kControllers);
  for (size_t i = 0; i < kControllers; ++i) EXPECT_EQ(bytes[i], 64 * (LinesOf(1, i) + i + 1));
}

// The CPU comes from cpumask: any other gives EINVAL or counts the wrong package.
TEST_F(ControllersTest, ACpuOfThePackageIsTakenFromTheMask) {
  for (const events::EncodedEvent& event : plan_.events) {
    EXPECT_EQ(event.cpus, (std::set<uint32_t>{0, 4})) << event.name;
  }
  vpmu_set_online(4, 0);
  EXPECT_TRUE(Open(0));
  const auto offline = Open(1);
  ASSERT_FALSE(offline);
  EXPECT_THAT(offline.error(), HasSubstr("No such device"));
}

TEST_F(ControllersTest, APackageWithoutControllersIsAnError) {
  const auto none = Open(2);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error(), HasSubstr("package 2"));
}

// Events that the package does not have are another's: phantom devices are not opened.
TEST_F(ControllersTest, DevicesOfOnePackageOnlyAreOpenedThereOnly) {
  Use("zen4");
  for (const uint32_t package : {0u, 1u}) {
    const auto controllers = Open(package);
    ASSERT_TRUE(controllers) << controllers.error();
    EXPECT_EQ(controllers->Events().size(), 24u);
    for (const uint32_t event : controllers->Events()) {
      const int number = std::stoi(plan_.events[event].device.substr(sizeof("amd_umc_") - 1));
      EXPECT_EQ(number / 12, static_cast<int>(package)) << plan_.events[event].name;
    }
  }
}

TEST_F(ControllersTest, MoreEventsThanCountersTakeTurnsAndAreScaledOnce) {
  Use("zen3");
  vpmu_freeze();
  const auto controllers = Open(0);
  ASSERT_TRUE(controllers) << controllers.error();
  ASSERT_EQ(controllers->Events().size(), 8u);
  const std::vector<Total> before = Read(*controllers);
  for (int ms = 0; ms < 400; ++ms) {
    for (uint64_t channel = 0; channel < 8; ++channel) {
      const uint64_t event = 0x07 + 0x40 * channel;
      vpmu_device(0, "amd_df", (event & 0xff) | (event >> 8) << 32 | 0x3800, 10 + channel);
    }
    vpmu_advance(1'000'000);
  }
  const std::vector<Total> after = Read(*controllers);
  std::vector<Sum> sums(after.size());
  for (size_t i = 0; i < after.size(); ++i) sums[i] = threads::Difference(before[i], after[i]);
  const Weighed bytes = TotalBytes(plan_, sums.data());
  EXPECT_EQ(bytes.status, Status::kScaled);
  EXPECT_NEAR(static_cast<double>(bytes.value), 64 * 400 * (8 * 10 + 28), 64 * 400 * 2);
}

TEST_F(ControllersTest, WithoutPermissionThereAreNoBytesButTheReason) {
  vpmu_set_privileged(0);
  const auto denied = Open(0);
  ASSERT_FALSE(denied);
  EXPECT_THAT(denied.error(), HasSubstr("/proc/sys/kernel/perf_event_paranoid is 2"));
  EXPECT_THAT(denied.error(), HasSubstr("set it to 0 or to give the program CAP_PERFMON"));
  vpmu_set_paranoid(0);
  EXPECT_TRUE(Open(0));
}

TEST_F(ControllersTest, NoMoreDescriptorsThanTheBudget) {
  EXPECT_TRUE(Open(0, 12));
  const auto refused = Open(0, 11);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("ulimit -n"));
}

TEST_F(ControllersTest, CountersHeldByOthersAreNamed) {
  ASSERT_EQ(vpmu_reserve("uncore_imc_3", 4), 0);
  const auto refused = Open(0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("other programs hold the counters"));
}

}  // namespace
}  // namespace roofmark::package
