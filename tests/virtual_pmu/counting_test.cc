// SPDX-License-Identifier: BSD-3-Clause
//
// Threads, groups, formats and commands on the core PMU.
#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "counters.h"

namespace vpmu_test {
namespace {

using ::testing::ElementsAre;
using CountingTest = OnMachine;

// A thread that waits until it may end, so that others can open events on it.
class Parked {
 public:
  Parked() : thread_([this] { Run(); }) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return tid_ != 0; });
  }
  ~Parked() {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  pid_t tid() const { return tid_; }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    tid_ = gettid();
    changed_.notify_all();
    changed_.wait(lock, [this] { return end_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  pid_t tid_ = 0;
  bool end_ = false;
  std::thread thread_;
};

TEST_F(CountingTest, EveryThreadHasItsOwnCounts) {
  Parked threads[4];
  std::vector<Counter> doubles, singles;
  for (const Parked& thread : threads) {
    doubles.emplace_back(Attributes(kScalarDouble), thread.tid());
    singles.emplace_back(Attributes(kSingle), thread.tid());
  }
  for (int i = 0; i < 4; ++i) {
    vpmu_retire(threads[i].tid(), kScalarDouble, 1000 + i);
    vpmu_retire(threads[i].tid(), kSingle, 70 * (i + 1));
  }
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(doubles[i].Value(), 1000u + i);
    EXPECT_EQ(singles[i].Value(), 70u * (i + 1));
  }
}

TEST_F(CountingTest, ThreadsCountAtTheSameTime) {
  std::vector<std::thread> threads;
  for (uint64_t t = 1; t <= 4; ++t) {
    threads.emplace_back([t] {
      const Counter own(Attributes(kScalarDouble));
      for (uint64_t i = 1; i <= 2000; ++i) {
        vpmu_retire(0, kScalarDouble, t);
        ASSERT_EQ(own.Value(), i * t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CountingTest, AnEventCountsTheUnitMasksThatItContains) {
  const Counter both(Attributes(kScalarDouble | kPackedDouble)), one(Attributes(kScalarDouble)),
      instructions(Attributes(kInstructions));
  vpmu_retire(0, kScalarDouble, 5);
  vpmu_retire(0, kPackedDouble, 11);
  vpmu_retire(0, kInstructions, 100);
  vpmu_retire(0, 0x1c0, 1000);
  EXPECT_EQ(both.Value(), 16u);
  EXPECT_EQ(one.Value(), 5u);
  EXPECT_EQ(instructions.Value(), 100u);
}

TEST_F(CountingTest, GenericEventsAreThoseOfTheMachine) {
  const Counter cycles(Attributes(PERF_COUNT_HW_CPU_CYCLES, 0, PERF_TYPE_RAW));
  auto attr = Attributes(PERF_COUNT_HW_INSTRUCTIONS, 0, PERF_TYPE_HARDWARE);
  attr.exclude_kernel = 1;
  const Counter instructions(attr);
  vpmu_retire(0, kInstructions, 42);
  EXPECT_EQ(instructions.Value(), 42u);
  EXPECT_EQ(cycles.Value(), 0u);  // config 0 of another type is another event
}

TEST_F(CountingTest, PrivilegeLevelsAreSeparate) {
  vpmu_set_paranoid(1);
  auto attr = Attributes(kInstructions);
  const Counter user(attr);
  attr.exclude_user = 1;
  attr.exclude_kernel = 0;
  const Counter kernel(attr);
  attr.exclude_user = 0;
  const Counter both(attr);
  vpmu_retire(0, kInstructions, 3);
  vpmu_retire_kernel(0, kInstructions, 40);
  EXPECT_EQ(user.Value(), 3u);
  EXPECT_EQ(kernel.Value(), 40u);
  EXPECT_EQ(both.Value(), 43u);
}

TEST_F(CountingTest, InheritedEventsCountThreadsCreatedLater) {
  const Parked before;
  auto attr = Attributes(kScalarDouble);
  const Counter own(attr);
  attr.inherit = 1;
  const Counter inherited(attr);
  std::thread([] {
    vpmu_retire(0, kScalarDouble, 7);
    std::thread([] { vpmu_retire(0, kScalarDouble, 20); }).join();
  }).join();
  vpmu_retire(before.tid(), kScalarDouble, 1000);
  vpmu_retire(0, kScalarDouble, 100);
  EXPECT_EQ(own.Value(), 100u);
  EXPECT_EQ(inherited.Value(), 127u);
}

TEST_F(CountingTest, CpuWideEventsCountTheirCpu) {
  vpmu_set_privileged(1);
  const Counter first(Attributes(kInstructions), -1, 1), second(Attributes(kInstructions), -1, 2);
  vpmu_retire_on_cpu(1, kInstructions, 8);
  vpmu_retire_on_cpu(2, kInstructions, 9);
  vpmu_retire(0, kInstructions, 100);
  EXPECT_EQ(first.Value(), 8u);
  EXPECT_EQ(second.Value(), 9u);
}

TEST_F(CountingTest, GroupsGiveAllMembersWithTheirIds) {
  vpmu_freeze();
  const uint64_t format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST | kTimes;
  const Counter leader(Attributes(kScalarDouble, format));
  const Counter member(Attributes(kSingle, format), 0, -1, leader.fd());
  uint64_t ids[2] = {};
  ASSERT_EQ(leader.Control(PERF_EVENT_IOC_ID, reinterpret_cast<unsigned long>(&ids[0])), 0);
  ASSERT_EQ(member.Control(PERF_EVENT_IOC_ID, reinterpret_cast<unsigned long>(&ids[1])), 0);
  EXPECT_NE(ids[0], ids[1]);
  vpmu_retire(0, kScalarDouble, 12);
  vpmu_retire(0, kSingle, 34);
  vpmu_advance(500);
  const auto expected = ElementsAre(2, 500, 500, 12, ids[0], 0, 34, ids[1], 0);
  EXPECT_THAT(leader.Read(), expected);
  EXPECT_THAT(member.Read(), expected);
}

TEST_F(CountingTest, SingleFormatPutsTimesAfterTheValue) {
  vpmu_freeze();
  const Counter counter(Attributes(kSingle, kTimes | PERF_FORMAT_ID));
  uint64_t id = 0;
  ASSERT_EQ(counter.Control(PERF_EVENT_IOC_ID, reinterpret_cast<unsigned long>(&id)), 0);
  vpmu_retire(0, kSingle, 9);
  vpmu_advance(77);
  EXPECT_THAT(counter.Read(), ElementsAre(9, 77, 77, id));
  uint64_t words[3];
  EXPECT_EQ(read(counter.fd(), words, sizeof(words)), -1);
  EXPECT_EQ(errno, ENOSPC);
}

TEST_F(CountingTest, CommandsReachTheEventOrItsGroup) {
  auto attr = Attributes(kScalarDouble);
  attr.disabled = 1;
  const Counter leader(attr);
  const Counter member(Attributes(kScalarDouble), 0, -1, leader.fd());
  const auto retire = [] { vpmu_retire(0, kScalarDouble, 1); };
  retire();  // the leader is off, so is the group
  EXPECT_EQ(leader.Control(PERF_EVENT_IOC_ENABLE), 0);
  retire();
  EXPECT_EQ(member.Control(PERF_EVENT_IOC_DISABLE), 0);
  retire();
  EXPECT_EQ(leader.Value(), 2u);
  EXPECT_EQ(member.Value(), 1u);
  EXPECT_EQ(leader.Control(PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP), 0);
  retire();
  EXPECT_EQ(member.Value(), 2u);
  EXPECT_EQ(leader.Control(PERF_EVENT_IOC_RESET), 0);
  EXPECT_EQ(leader.Value(), 0u);
  EXPECT_EQ(member.Value(), 2u);
  EXPECT_EQ(leader.Control(PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP), 0);
  EXPECT_EQ(member.Value(), 0u);
  EXPECT_EQ(leader.Control(PERF_EVENT_IOC_REFRESH, 1), -1);  // nothing samples
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(leader.Control(0x5401), -1);
  EXPECT_EQ(errno, ENOTTY);
}

TEST_F(CountingTest, MembersOutliveTheirLeader) {
  auto leader = std::make_unique<Counter>(Attributes(kScalarDouble));
  const Counter member(Attributes(kSingle), 0, -1, leader->fd());
  leader.reset();
  vpmu_retire(0, kSingle, 6);
  EXPECT_EQ(member.Value(), 6u);
  EXPECT_EQ(Statistics().events, 1u);
}

}  // namespace
}  // namespace vpmu_test
