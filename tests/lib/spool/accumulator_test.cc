// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/accumulator.h"

#include <gtest/gtest.h>

#include <thread>

namespace roofmark::spool {
namespace {

void CommitTimes(Slot& slot, int times) {
  for (int i = 0; i < times; ++i) slot.Commit(1, 10);
}

TEST(ReadSlot, WholeAfterAnyNumberOfVisits) {
  for (int visits : {0, 1, 2, 3, 100}) {
    Slot slot;
    CommitTimes(slot, visits);
    const SlotReading reading = ReadSlot(slot);
    EXPECT_EQ(reading.state, SlotState::kWhole) << visits;
    EXPECT_EQ(reading.totals.visits, static_cast<uint64_t>(visits));
    EXPECT_EQ(reading.totals.ticks, 10u * static_cast<uint64_t>(visits));
  }
}

TEST(ReadSlot, WholeBeyond32Bits) {
  Slot slot;
  slot.sequence = UINT32_MAX;
  slot.copies[1] = {UINT32_MAX, UINT32_MAX, 5};
  slot.copies[0] = {UINT32_MAX - 1, UINT32_MAX - 1, 4};
  CommitTimes(slot, 2);
  EXPECT_EQ(ReadSlot(slot).state, SlotState::kWhole);
  EXPECT_EQ(ReadSlot(slot).totals.visits, uint64_t{UINT32_MAX} + 2);
}

// A process dies between any two stores of a commit: the state before it is read.
TEST(ReadSlot, DeathWithinACommit) {
  for (int before : {0, 1, 2, 7}) {
    for (int stores = 0; stores <= 3; ++stores) {
      Slot slot;
      CommitTimes(slot, before);
      Totals& next = slot.copies[(slot.sequence + 1) & 1];
      if (stores > 0) next.visits = slot.Current().visits + 1;
      if (stores > 1) next.measured = slot.Current().measured + 1;
      if (stores > 2) next.ticks = slot.Current().ticks + 10;
      const SlotReading reading = ReadSlot(slot);
      EXPECT_EQ(reading.state, SlotState::kWhole) << before << " " << stores;
      EXPECT_EQ(reading.totals.visits, static_cast<uint64_t>(before));
    }
  }
}

// Made current before it was written, which no process of ours does: the one before it is taken.
TEST(ReadSlot, TornSlotIsNotBelieved) {
  Slot slot;
  CommitTimes(slot, 5);
  slot.sequence = 6;
  EXPECT_EQ(ReadSlot(slot).state, SlotState::kTorn);
  EXPECT_EQ(ReadSlot(slot).totals.visits, 5u);
}

TEST(ReadSlot, DamageIsNotBelieved) {
  for (int word : {0, 1, 3, 4}) {  // visits and measured of both copies
    for (int bit : {1, 20, 40}) {
      Slot slot;
      CommitTimes(slot, 1000);
      Totals& copy = slot.copies[word / 3];
      (word % 3 == 0 ? copy.visits : copy.measured) ^= uint64_t{1} << bit;
      const SlotReading reading = ReadSlot(slot);
      if (reading.state == SlotState::kTorn) {
        EXPECT_EQ(reading.totals.visits, 999u) << "the copy before is whole";
      } else {
        EXPECT_EQ(reading.state, SlotState::kDamaged) << word << " " << bit;
      }
    }
  }
}

TEST(CopySlot, IsWholeWhileTheOwnerGoesOn) {
  Slot live;
  live.active = 1;
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    while (!stop) live.Commit(1, 3);
  });
  while (live.sequence.load() == 0) std::this_thread::yield();
  for (int i = 0; i < 500'000; ++i) {
    Slot copy;
    CopySlot(live, copy);
    const SlotReading reading = ReadSlot(copy);
    ASSERT_EQ(reading.state, SlotState::kWhole);
    ASSERT_EQ(reading.totals.ticks, reading.totals.visits * 3);
    ASSERT_EQ(reading.active, 1u);
  }
  stop = true;
  owner.join();
}

}  // namespace
}  // namespace roofmark::spool
