// SPDX-License-Identifier: BSD-3-Clause
//
// More events than counters: multiplexing, pinned events, counters that others hold.
#include <gmock/gmock.h>

#include "counters.h"

namespace vpmu_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kSlice = 1000000;

// The clock stands still somewhere in a slice: whole rounds of slices give exact sums.
class ScheduleTest : public OnMachine {
 protected:
  ScheduleTest() { vpmu_freeze(); }

  // A kind of event that needs a general counter, the i-th.
  static perf_event_attr General(int i) { return Attributes(0x10 + i, kTimes); }

  // In each slice one of each of `kinds` events retires.
  static void Work(int slices, int kinds) {
    for (int slice = 0; slice < slices; ++slice) {
      for (int i = 0; i < kinds; ++i) vpmu_retire(0, General(i).config, 1);
      vpmu_advance(kSlice);
    }
  }
};

TEST_F(ScheduleTest, EventsThatFitRunAllTheTime) {
  std::vector<Counter> counters;
  for (int i = 0; i < 8; ++i) counters.emplace_back(General(i));
  const Counter fixed(Attributes(kCycles, kTimes));
  Work(10, 8);
  for (const Counter& counter : counters) {
    EXPECT_THAT(counter.Read(), ElementsAre(10, 10 * kSlice, 10 * kSlice));
  }
  EXPECT_THAT(fixed.Read(), ElementsAre(0, 10 * kSlice, 10 * kSlice));
}

TEST_F(ScheduleTest, MoreEventsShareTheCountersInTurn) {
  std::vector<Counter> counters;
  for (int i = 0; i < 12; ++i) counters.emplace_back(General(i));
  Work(120, 12);  // in 12 slices each has 8
  for (const Counter& counter : counters) {
    const auto words = counter.Read();
    EXPECT_EQ(words[1], 120 * kSlice);
    EXPECT_EQ(words[2], 80 * kSlice);
    EXPECT_EQ(words[0], 80u);
  }
}

TEST_F(ScheduleTest, GroupsAreScheduledWhole) {
  vpmu_reserve("cpu", 5);  // three left
  const Counter a(General(0)), a2(General(1), 0, -1, a.fd());
  const Counter b(General(2)), b2(General(3), 0, -1, b.fd());
  Work(10, 4);
  EXPECT_THAT(a.Read(), ElementsAre(5, 10 * kSlice, 5 * kSlice));
  EXPECT_THAT(a2.Read(), ElementsAre(5, 10 * kSlice, 5 * kSlice));
  EXPECT_THAT(b.Read(), ElementsAre(5, 10 * kSlice, 5 * kSlice));
  EXPECT_THAT(b2.Read(), ElementsAre(5, 10 * kSlice, 5 * kSlice));
}

TEST_F(ScheduleTest, PinnedEventsCountOrEnd) {
  vpmu_reserve("cpu", 7);
  auto attr = General(0);
  attr.pinned = 1;
  const Counter first(attr), second(attr);
  const Counter flexible(General(1));
  Work(3, 2);
  EXPECT_THAT(first.Read(), ElementsAre(3, 3 * kSlice, 3 * kSlice));
  EXPECT_THAT(second.Read(), IsEmpty());
  EXPECT_THAT(flexible.Read(), ElementsAre(0, 3 * kSlice, 0));
  vpmu_reserve("cpu", 6);
  EXPECT_THAT(second.Read(), IsEmpty());  // until it is enabled again
  EXPECT_EQ(second.Control(PERF_EVENT_IOC_ENABLE), 0);
  Work(2, 1);
  EXPECT_THAT(second.Read(), ElementsAre(2, 2 * kSlice, 2 * kSlice));
}

TEST_F(ScheduleTest, APinnedGroupThatFailsTakesNothing) {
  vpmu_reserve("cpu", 7);
  auto attr = General(0);
  attr.pinned = 1;
  attr.disabled = 1;
  const Counter leader(attr), member(General(1), 0, -1, leader.fd()), flexible(General(2));
  EXPECT_EQ(leader.Control(PERF_EVENT_IOC_ENABLE), 0);
  Work(3, 3);
  EXPECT_THAT(leader.Read(), IsEmpty());
  EXPECT_THAT(member.Read(), ElementsAre(0, 0, 0));
  EXPECT_THAT(flexible.Read(), ElementsAre(3, 3 * kSlice, 3 * kSlice));
}

TEST_F(ScheduleTest, AGroupThatNeverFitsIsRefused) {
  const Counter leader(General(0));
  std::vector<Counter> members;
  for (int i = 1; i < 8; ++i) members.emplace_back(General(i), 0, -1, leader.fd());
  EXPECT_EQ(OpenError(General(8), 0, -1, leader.fd()), EINVAL);
  const Counter fixed(Attributes(kInstructions), 0, -1, leader.fd());  // has its own counter
}

TEST_F(ScheduleTest, ClosingMakesRoom) {
  vpmu_reserve("cpu", 7);
  auto first = std::make_unique<Counter>(General(0));
  const Counter second(General(1));
  Work(4, 2);
  EXPECT_EQ(second.Value(), 2u);
  first.reset();
  Work(4, 2);
  EXPECT_EQ(second.Value(), 6u);
}

TEST_F(ScheduleTest, SoDoesWhatReplacesADescriptor) {
  vpmu_reserve("cpu", 7);
  const Counter first(General(0));
  const Counter second(General(1));
  EXPECT_EQ(dup2(STDERR_FILENO, first.fd()), first.fd());
  Work(4, 2);
  EXPECT_EQ(second.Value(), 4u);
}

TEST_F(ScheduleTest, ControllersMultiplexToo) {
  vpmu_set_privileged(1);
  const uint32_t type = DeviceType("uncore_imc_3");
  std::vector<Counter> counters;
  for (int i = 0; i < 5; ++i) counters.emplace_back(Attributes(4 + 0x100 * i, kTimes, type), -1, 4);
  for (int slice = 0; slice < 10; ++slice) {
    for (int i = 0; i < 5; ++i) vpmu_device(1, "uncore_imc_3", 4 + 0x100 * i, 2);
    vpmu_advance(kSlice);
  }
  for (const Counter& counter : counters) {
    EXPECT_EQ(counter.Read()[1], 10 * kSlice);
    EXPECT_EQ(counter.Read()[2], 8 * kSlice);
  }
}

}  // namespace
}  // namespace vpmu_test
