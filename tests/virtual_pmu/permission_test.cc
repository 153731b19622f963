// SPDX-License-Identifier: BSD-3-Clause
//
// What an open is refused for.
#include <sys/resource.h>

#include "counters.h"

namespace vpmu_test {
namespace {

using PermissionTest = OnMachine;

TEST_F(PermissionTest, ParanoidLevelsDecideWhoMayCountWhat) {
  const auto user = Attributes(kInstructions);
  auto kernel = user;
  kernel.exclude_kernel = 0;
  const auto device = Attributes(0x304, 0, DeviceType("uncore_imc_0"));
  struct {
    int level, user, kernel, cpu, device;
  } const cases[] = {{3, EACCES, EACCES, EACCES, EACCES},
                     {2, 0, EACCES, EACCES, EACCES},
                     {1, 0, 0, EACCES, EACCES},
                     {0, 0, 0, 0, 0},
                     {-1, 0, 0, 0, 0}};
  for (const auto& expected : cases) {
    vpmu_set_paranoid(expected.level);
    SCOPED_TRACE(expected.level);
    EXPECT_EQ(FirstLine("/proc/sys/kernel/perf_event_paranoid"), std::to_string(expected.level));
    EXPECT_EQ(OpenError(user), expected.user);
    EXPECT_EQ(OpenError(kernel), expected.kernel);
    EXPECT_EQ(OpenError(user, -1, 0), expected.cpu);
    EXPECT_EQ(OpenError(device, -1, 0), expected.device);
    vpmu_set_privileged(1);
    EXPECT_EQ(OpenError(kernel), 0);
    EXPECT_EQ(OpenError(device, -1, 0), 0);
    vpmu_set_privileged(0);
  }
}

TEST_F(PermissionTest, DevicesWantACpuAndNothingElse) {
  vpmu_set_privileged(1);
  const auto attr = Attributes(0x304, 0, DeviceType("uncore_imc_0"));
  EXPECT_EQ(OpenError(attr, -1, -1), EINVAL);
  EXPECT_EQ(OpenError(attr, 0, -1), EINVAL);
  EXPECT_EQ(OpenError(attr, 0, 0), EINVAL);
  EXPECT_EQ(OpenError(attr, -1, 8), EINVAL);
  EXPECT_EQ(OpenError(attr, -1, 7), 0);  // any CPU stands for its package
  auto user_only = attr;
  user_only.exclude_kernel = 1;
  EXPECT_EQ(OpenError(user_only, -1, 0), EINVAL);
  auto sampling = attr;
  sampling.sample_period = 1000;
  EXPECT_EQ(OpenError(sampling, -1, 0), EINVAL);
}

TEST_F(PermissionTest, CpusThatAreOfflineHaveNoDevice) {
  vpmu_set_privileged(1);
  vpmu_set_online(4, 0);
  const auto attr = Attributes(0x304, 0, DeviceType("uncore_imc_0"));
  EXPECT_EQ(OpenError(attr, -1, 4), ENODEV);
  EXPECT_EQ(OpenError(Attributes(kInstructions), -1, 4), ENODEV);
  EXPECT_EQ(FirstLine("/sys/devices/system/cpu/online"), "0,1,2,3,5,6,7");
  vpmu_set_online(4, 1);
  EXPECT_EQ(OpenError(attr, -1, 4), 0);
  EXPECT_EQ(FirstLine("/sys/devices/system/cpu/online"), "0-7");
}

TEST_F(PermissionTest, AmdDevicesBelongToOnePackage) {
  ASSERT_EQ(vpmu_use(MachinePath("zen4").c_str()), 0);
  vpmu_set_privileged(1);
  const auto attr = Attributes(0x10a, 0, DeviceType("amd_umc_12"));
  EXPECT_EQ(OpenError(attr, -1, 0), ENODEV);
  EXPECT_EQ(OpenError(attr, -1, 4), 0);
}

TEST_F(PermissionTest, EncodingsOutsideTheFormatAreRefused) {
  vpmu_set_privileged(1);
  EXPECT_EQ(OpenError(Attributes(1ull << 40 | kInstructions)), EINVAL);
  EXPECT_EQ(OpenError(Attributes(1ull << 22 | kInstructions)), 0);  // the enable bit is dropped
  EXPECT_EQ(OpenError(Attributes(1ull << 32 | 4, 0, DeviceType("uncore_imc_0")), -1, 0), EINVAL);
  auto attr = Attributes(kInstructions);
  attr.config2 = 1;
  EXPECT_EQ(OpenError(attr), EINVAL);
  EXPECT_EQ(OpenError(Attributes(0, 1 << 5)), EINVAL);
  EXPECT_EQ(OpenError(Attributes(0, 0, 999)), ENOENT);
  EXPECT_EQ(OpenError(Attributes(77, 0, PERF_TYPE_HARDWARE)), ENOENT);
}

TEST_F(PermissionTest, TargetsMustExist) {
  const auto attr = Attributes(kInstructions);
  EXPECT_EQ(OpenError(attr, 0x3ffffff), ESRCH);
  EXPECT_EQ(OpenError(attr, -1, -1), EINVAL);
  EXPECT_EQ(OpenError(attr, 0, -1, 0x7fff), EBADF);
  EXPECT_EQ(syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0), -1);
  EXPECT_EQ(errno, EFAULT);
  auto huge = attr;
  huge.size = 5000;
  EXPECT_EQ(OpenError(huge), E2BIG);
}

TEST_F(PermissionTest, GroupsShareTaskDeviceAndInheritance) {
  vpmu_set_privileged(1);
  auto attr = Attributes(kInstructions);
  const Counter leader(attr), member(attr, 0, -1, leader.fd());
  EXPECT_EQ(OpenError(attr, 0, -1, member.fd()), EINVAL);  // leads nothing
  EXPECT_EQ(OpenError(attr, 0, 1, leader.fd()), EINVAL);
  EXPECT_EQ(OpenError(Attributes(4, 0, DeviceType("uncore_imc_0")), -1, 0, leader.fd()), EINVAL);
  attr.inherit = 1;
  EXPECT_EQ(OpenError(attr, 0, -1, leader.fd()), EINVAL);
  attr.inherit = 0;
  attr.pinned = 1;
  EXPECT_EQ(OpenError(attr, 0, -1, leader.fd()), EINVAL);
}

TEST_F(PermissionTest, DescriptorsAreLimited) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const Counter any(Attributes(kInstructions));
  const rlimit low{static_cast<rlim_t>(any.fd()) + 3, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &low);
  std::vector<Counter> counters;
  int error = 0;
  for (int i = 0; i < 5 && error == 0; ++i) {
    const int fd = OpenCounter(Attributes(kInstructions));
    if (fd < 0) error = errno;
    counters.emplace_back(fd);
  }
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(error, EMFILE);
  EXPECT_LE(counters.size(), 3u);
}

}  // namespace
}  // namespace vpmu_test
