// SPDX-License-Identifier: BSD-3-Clause
//
// Groups of events that every Linux has: software events, and the breakpoint PMU, which counts
// exactly.
#include "collectors/hardware/perf/group.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/hw_breakpoint.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "collectors/hardware/perf/explain.h"

namespace roofmark::perf {
namespace {

perf_event_attr Software(uint64_t config) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = config;
  return attr;
}

perf_event_attr WritesOf(volatile int& word) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_BREAKPOINT;
  attr.bp_type = HW_BREAKPOINT_W;
  attr.bp_addr = reinterpret_cast<uintptr_t>(&word);
  attr.bp_len = HW_BREAKPOINT_LEN_4;
  return attr;
}

const std::vector<perf_event_attr> kFour = {
    Software(PERF_COUNT_SW_TASK_CLOCK), Software(PERF_COUNT_SW_PAGE_FAULTS),
    Software(PERF_COUNT_SW_PAGE_FAULTS_MIN), Software(PERF_COUNT_SW_PAGE_FAULTS_MAJ)};

size_t OpenDescriptors() {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}

class GroupTest : public testing::Test {
 protected:
  void SetUp() override {
    descriptors_ = OpenDescriptors();
    OpenFailure failure;
    if (!Group::Open(kFour, 0, -1, false, &failure)) {
      GTEST_SKIP() << "no software events: " << ExplainOpen(failure.error, false).reason;
    }
  }
  void TearDown() override { EXPECT_EQ(OpenDescriptors(), descriptors_); }

  // nullopt, with the test skipped, where the machine has no breakpoints to give.
  std::optional<Group> OpenWrites(volatile int& a, volatile int& b, pid_t tid = 0) {
    OpenFailure failure;
    auto group = Group::Open({WritesOf(a), WritesOf(b)}, tid, -1, false, &failure);
    if (!group) {
      Skip(std::strerror(failure.error));
    } else if (!BreakpointsCount()) {
      Skip("this machine offers them, but they do not count");
      group.reset();
    }
    return group;
  }
  void Skip(const char* why) { GTEST_SKIP() << "no breakpoint events: " << why; }

  // By the system call alone: some virtual machines open breakpoints that never count.
  static bool BreakpointsCount() {
    volatile int word = 0;
    perf_event_attr attr = WritesOf(word);
    attr.size = sizeof attr;
    attr.exclude_kernel = attr.exclude_hv = 1;
    const int fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
    if (fd < 0) return false;
    word = 1;
    uint64_t times = 0;
    const bool counts = read(fd, &times, sizeof times) == sizeof times && times > 0;
    close(fd);
    return counts;
  }

 private:
  size_t descriptors_ = 0;
};

volatile int g_words[2];

void Write(int word, int times) {
  for (int i = 0; i < times; ++i) g_words[word] = i;
}

TEST_F(GroupTest, CountsExactlyWhatEachEventSaw) {
  const auto group = OpenWrites(g_words[0], g_words[1]);
  if (!group) return;
  Reading before, after;
  ASSERT_EQ(group->Read(before), ReadStatus::kOk);
  Write(0, 1000);
  Write(1, 7);
  ASSERT_EQ(group->Read(after), ReadStatus::kOk);
  EXPECT_EQ(after.values[0] - before.values[0], 1000u);
  EXPECT_EQ(after.values[1] - before.values[1], 7u);
  EXPECT_EQ(after.enabled_ns - before.enabled_ns, after.running_ns - before.running_ns);
  EXPECT_GT(after.enabled_ns, before.enabled_ns);
}

TEST_F(GroupTest, ReadingDoesNotReset) {
  const auto group = OpenWrites(g_words[0], g_words[1]);
  if (!group) return;
  Reading first, second;
  Write(0, 10);
  ASSERT_EQ(group->Read(first), ReadStatus::kOk);
  ASSERT_EQ(group->Read(second), ReadStatus::kOk);
  EXPECT_EQ(first.values[0], 10u);
  EXPECT_EQ(second.values[0], 10u);
}

TEST_F(GroupTest, AnotherThreadIsReadFromOutsideAndAfterItsEnd) {
  std::atomic<pid_t> tid{0};
  std::atomic<int> stage{0};
  std::thread worker([&] {
    tid = static_cast<pid_t>(syscall(SYS_gettid));
    while (stage < 1) std::this_thread::yield();
    Write(0, 123);
    stage = 2;
    while (stage < 3) std::this_thread::yield();
    Write(0, 1);
  });
  while (tid == 0) std::this_thread::yield();
  const auto group = OpenWrites(g_words[0], g_words[1], tid);
  stage = 1;
  while (stage < 2) std::this_thread::yield();
  Write(0, 50);  // ours, not its
  Reading living, ended;
  if (group) {
    EXPECT_EQ(group->Read(living), ReadStatus::kOk);
  }
  stage = 3;
  worker.join();
  if (!group) return;
  EXPECT_EQ(living.values[0], 123u);
  ASSERT_EQ(group->Read(ended), ReadStatus::kOk);
  EXPECT_EQ(ended.values[0], 124u);
}

TEST_F(GroupTest, OwnReadFallsBackToTheSystemCall) {
  auto group = OpenWrites(g_words[0], g_words[1]);
  if (!group) return;
  EXPECT_FALSE(group->MapPages());  // no counter register is behind a breakpoint
  Write(1, 21);
  Reading reading;
  ASSERT_EQ(group->ReadOwn(reading), ReadStatus::kOk);
  EXPECT_EQ(reading.values[1], 21u);
}

TEST_F(GroupTest, AFailingSiblingNamesItselfAndLeaksNothing) {
  const size_t before = OpenDescriptors();
  OpenFailure failure;
  const auto group = Group::Open({Software(PERF_COUNT_SW_TASK_CLOCK), Software(0xdead), kFour[1]},
                                 0, -1, false, &failure);
  EXPECT_FALSE(group);
  EXPECT_EQ(failure.event, 1u);
  EXPECT_TRUE(failure.error == ENOENT || failure.error == EINVAL) << failure.error;
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST_F(GroupTest, NoDescriptorLeftIsAnErrorAndLeaksNothing) {
  const size_t before = OpenDescriptors();
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  rlimit low = limit;
  low.rlim_cur = static_cast<rlim_t>(dup(0)) + 2;  // room for two more
  close(static_cast<int>(low.rlim_cur) - 2);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  OpenFailure failure;
  const auto group = Group::Open(kFour, 0, -1, false, &failure);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_FALSE(group);
  EXPECT_EQ(failure.error, EMFILE);
  EXPECT_EQ(failure.event, 2u);
  EXPECT_EQ(OpenDescriptors(), before);
}

constexpr char kOfCounter[] = "anon_inode:[perf_event]";

TEST_F(GroupTest, DescriptorsAreNotHandedToOtherPrograms) {
  OpenFailure failure;
  const auto group = Group::Open(kFour, 0, -1, false, &failure);
  ASSERT_TRUE(group);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(entry.path(), error).string();
    if (target != kOfCounter) continue;
    EXPECT_TRUE(fcntl(std::stoi(entry.path().filename()), F_GETFD) & FD_CLOEXEC) << target;
  }
}

// A program that closes descriptors that are not its own, and opens something else there.
TEST_F(GroupTest, AReusedDescriptorIsNotRead) {
  OpenFailure failure;
  auto group = Group::Open(kFour, 0, -1, false, &failure);
  ASSERT_TRUE(group);
  const int leader = group->Descriptors().at(0).number();
  Reading reading;
  const int kept = dup(leader);
  const int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  dup2(zero, leader);
  EXPECT_EQ(group->Read(reading), ReadStatus::kForeign);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, leader);
  EXPECT_EQ(group->Read(reading), ReadStatus::kForeign);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  dup2(ends[0], leader);
  EXPECT_EQ(group->Read(reading), ReadStatus::kForeign) << "of an empty pipe it would never end";
  ASSERT_EQ(write(ends[1], "twelve bytes", 12), 12);
  EXPECT_EQ(group->Read(reading), ReadStatus::kForeign);
  EXPECT_FALSE(group->Enable(false));
  EXPECT_FALSE(group->Descriptors().at(0).IsOpen());
  int bytes = 0;
  EXPECT_EQ(ioctl(ends[0], FIONREAD, &bytes), 0);
  EXPECT_EQ(bytes, 12);
  dup2(kept, leader);
  EXPECT_EQ(group->Read(reading), ReadStatus::kOk);
  for (const int fd : {kept, zero, null, ends[0], ends[1]}) close(fd);
}

TEST_F(GroupTest, ReusedDescriptorsAreNotClosed) {
  for (const bool in_child : {false, true}) {
    OpenFailure failure;
    auto group = Group::Open(kFour, 0, -1, false, &failure);
    ASSERT_TRUE(group);
    std::vector<int> numbers;
    for (const EventDescriptor& event : group->Descriptors()) numbers.push_back(event.number());
    ASSERT_EQ(numbers.size(), kFour.size());
    // Another event is none of the group's, either.
    auto other = Group::Open({kFour[0]}, 0, -1, false, &failure);
    ASSERT_TRUE(other);
    dup2(other->Descriptors().at(0).number(), numbers[1]);
    dup2(0, numbers[2]);
    in_child ? group->CloseInChild() : group.reset();
    EXPECT_EQ(fcntl(numbers[0], F_GETFD), -1);
    EXPECT_NE(fcntl(numbers[1], F_GETFD), -1);
    EXPECT_NE(fcntl(numbers[2], F_GETFD), -1);
    close(numbers[1]);
    close(numbers[2]);
  }
}

TEST_F(GroupTest, MovesWithoutLeaking) {
  OpenFailure failure;
  auto first = Group::Open(kFour, 0, -1, false, &failure);
  auto second = Group::Open(kFour, 0, -1, false, &failure);
  ASSERT_TRUE(first && second);
  *first = std::move(*second);
  Reading reading;
  EXPECT_EQ(first->Read(reading), ReadStatus::kOk);
}

}  // namespace
}  // namespace roofmark::perf
