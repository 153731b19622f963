// SPDX-License-Identifier: BSD-3-Clause
//
// What a real kernel decides and the virtual PMU's own tests cannot ask here: who may count when
// the uid is an ordinary one, events that take turns by the kernel's clock, CPUs that go away.
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <array>

#include "counters.h"

namespace vpmu_test {
namespace {

using KernelTest = OnMachine;

constexpr uint64_t kRead = 0x304;  // of the memory controllers
constexpr uid_t kOrdinaryUser = 65534;

// user, kernel, cpu, device: the errno of each open.
using Errors = std::array<int, 4>;

Errors OpenErrors() {
  const auto user = Attributes(kInstructions);
  auto kernel = user;
  kernel.exclude_kernel = 0;
  const auto device = Attributes(kRead, 0, DeviceType("uncore_imc_0"));
  return {OpenError(user), OpenError(kernel), OpenError(user, -1, 0), OpenError(device, -1, 0)};
}

void KeepOnly(int capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  auto& words = data[CAP_TO_INDEX(capability)];
  words.effective = words.permitted = CAP_TO_MASK(capability);
  if (syscall(SYS_capset, &header, data) != 0) _exit(2);
}

// In a child, as an ordinary user; with one capability if that is not negative.
Errors AsOrdinaryUser(int capability) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    vpmu_set_privileged(1);  // root's, of which the change of user takes all or leaves one
    prctl(PR_SET_KEEPCAPS, capability >= 0);
    if (setresuid(kOrdinaryUser, kOrdinaryUser, kOrdinaryUser) != 0) _exit(2);
    if (capability >= 0) KeepOnly(capability);
    const Errors errors = OpenErrors();
    _exit(write(ends[1], errors.data(), sizeof(errors)) == sizeof(errors) ? 0 : 2);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  Errors errors{};
  EXPECT_EQ(read(ends[0], errors.data(), sizeof(errors)), static_cast<ssize_t>(sizeof(errors)));
  close(ends[0]);
  close(ends[1]);
  return errors;
}

// Were the virtual PMU below, all of this would show nothing.
TEST_F(KernelTest, IsARealOneWithTheScriptedPmu) {
  EXPECT_EQ(vpmu_fault("open:1:EIO"), -1);
  utsname name;
  ASSERT_EQ(uname(&name), 0);
  EXPECT_EQ(std::string(name.release).rfind("6.1.", 0), 0u) << name.release;
  EXPECT_EQ(FirstLine("/sys/module/roofmark_pmu/initstate"), "live");
}

TEST_F(KernelTest, OrdinaryUsersAreHeldToTheParanoidLevel) {
  const struct {
    int level;
    Errors errors;
  } cases[] = {{3, {EACCES, EACCES, EACCES, EACCES}},
               {2, {0, EACCES, EACCES, EACCES}},
               {1, {0, 0, EACCES, EACCES}},
               {0, {0, 0, 0, 0}},
               {-1, {0, 0, 0, 0}}};
  for (const auto& expected : cases) {
    SCOPED_TRACE(expected.level);
    vpmu_set_paranoid(expected.level);
    EXPECT_EQ(AsOrdinaryUser(-1), expected.errors);
  }
}

TEST_F(KernelTest, TheCapabilityToMonitorIsEnough) {
  vpmu_set_paranoid(2);
  EXPECT_EQ(AsOrdinaryUser(CAP_PERFMON), (Errors{0, 0, 0, 0}));
  EXPECT_EQ(AsOrdinaryUser(CAP_SYS_NICE), (Errors{0, EACCES, EACCES, EACCES}));
}

// Twelve on eight counters, for 600 ms: all have had a turn, none ran all the time, and what each
// saw, scaled by its times, is what happened.
TEST_F(KernelTest, MoreEventsThanCountersTakeTurns) {
  constexpr int kEvents = 12, kSlices = 600, kPerSlice = 1000;
  vpmu_freeze();
  std::vector<Counter> counters;
  for (int i = 0; i < kEvents; ++i) counters.emplace_back(Attributes(0x10 + i, kTimes));
  for (int slice = 0; slice < kSlices; ++slice) {
    for (int i = 0; i < kEvents; ++i) vpmu_retire(0, 0x10 + i, kPerSlice);
    vpmu_advance(1'000'000);
  }
  constexpr double kTruth = kSlices * kPerSlice;
  for (const Counter& counter : counters) {
    const auto words = counter.Read();
    const auto seen = static_cast<double>(words[0]);
    const double share = static_cast<double>(words[2]) / static_cast<double>(words[1]);
    printf("  counted %.3f of the time, scaled %.4f of the truth\n", share, seen / share / kTruth);
    EXPECT_NEAR(share, 8.0 / kEvents, 0.05);
    EXPECT_NEAR(seen / share, kTruth, 0.005 * kTruth);
  }
}

TEST_F(KernelTest, PinnedEventsThatFindNoCounterEnd) {
  ASSERT_EQ(vpmu_reserve("cpu", 7), 0);
  auto attr = Attributes(kScalarDouble);
  attr.pinned = 1;
  const Counter first(attr), second(attr);
  vpmu_retire(0, kScalarDouble, 3);
  EXPECT_EQ(first.Value(), 3u);
  EXPECT_TRUE(second.Read().empty());
}

TEST_F(KernelTest, CpusThatAreOfflineHaveNoDevice) {
  vpmu_set_privileged(1);
  const auto attr = Attributes(kRead, 0, DeviceType("uncore_imc_0"));
  vpmu_set_online(4, 0);
  const int device = OpenError(attr, -1, 4), core = OpenError(Attributes(kInstructions), -1, 4);
  vpmu_set_online(4, 1);
  EXPECT_EQ(device, ENODEV);
  EXPECT_EQ(core, ENODEV);
  EXPECT_EQ(OpenError(attr, -1, 4), 0);
}

// The counters start 1000 below the end of their 48 bits.
TEST_F(KernelTest, CountersThatWrapLoseNothing) {
  vpmu_set_privileged(1);
  const Counter counter(Attributes(0x104, 0, DeviceType("uncore_imc_5")), -1, 4);
  uint64_t sum = 0;
  for (const uint64_t n : {uint64_t{999}, uint64_t{2}, (uint64_t{1} << 48) - 7, uint64_t{5}}) {
    EXPECT_EQ(vpmu_device(1, "uncore_imc_5", 0x104, n), 0);
    sum += n;
    EXPECT_EQ(counter.Value(), sum);
  }
}

}  // namespace
}  // namespace vpmu_test
