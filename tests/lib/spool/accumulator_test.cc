// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/accumulator.h"

#include <gtest/gtest.h>

#include <thread>

namespace roofmark::spool {
namespace {

void CommitTimes(Accumulator& accumulator, int times) {
  for (int i = 0; i < times; ++i) accumulator.Commit(1, 10);
}

TEST(ReadAccumulator, WholeAfterAnyNumberOfVisits) {
  for (int visits : {0, 1, 2, 3, 100}) {
    Accumulator accumulator;
    CommitTimes(accumulator, visits);
    const AccumulatorReading reading = ReadAccumulator(accumulator);
    EXPECT_EQ(reading.state, AccumulatorState::kWhole) << visits;
    EXPECT_EQ(reading.totals.visits, static_cast<uint64_t>(visits));
    EXPECT_EQ(reading.totals.ticks, 10u * static_cast<uint64_t>(visits));
  }
}

TEST(ReadAccumulator, WholeBeyond32Bits) {
  Accumulator accumulator;
  accumulator.sequence = UINT32_MAX;
  accumulator.copies[1] = {UINT32_MAX, UINT32_MAX, 5};
  accumulator.copies[0] = {UINT32_MAX - 1, UINT32_MAX - 1, 4};
  CommitTimes(accumulator, 2);
  EXPECT_EQ(ReadAccumulator(accumulator).state, AccumulatorState::kWhole);
  EXPECT_EQ(ReadAccumulator(accumulator).totals.visits, uint64_t{UINT32_MAX} + 2);
}

// A process dies between any two stores of a commit: the state before it is read.
TEST(ReadAccumulator, DeathWithinACommit) {
  for (int before : {0, 1, 2, 7}) {
    for (int stores = 0; stores <= 3; ++stores) {
      Accumulator accumulator;
      CommitTimes(accumulator, before);
      Totals& next = accumulator.copies[(accumulator.sequence + 1) & 1];
      if (stores > 0) next.visits = accumulator.Current().visits + 1;
      if (stores > 1) next.measured = accumulator.Current().measured + 1;
      if (stores > 2) next.ticks = accumulator.Current().ticks + 10;
      const AccumulatorReading reading = ReadAccumulator(accumulator);
      EXPECT_EQ(reading.state, AccumulatorState::kWhole) << before << " " << stores;
      EXPECT_EQ(reading.totals.visits, static_cast<uint64_t>(before));
    }
  }
}

// Made current before it was written, which no process of ours does: the one before it is taken.
TEST(ReadAccumulator, TornAccumulatorIsNotBelieved) {
  Accumulator accumulator;
  CommitTimes(accumulator, 5);
  accumulator.sequence = 6;
  EXPECT_EQ(ReadAccumulator(accumulator).state, AccumulatorState::kTorn);
  EXPECT_EQ(ReadAccumulator(accumulator).totals.visits, 5u);
}

TEST(ReadAccumulator, DamageIsNotBelieved) {
  for (int word : {0, 1, 3, 4}) {  // visits and measured of both copies
    for (int bit : {1, 20, 40}) {
      Accumulator accumulator;
      CommitTimes(accumulator, 1000);
      Totals& copy = accumulator.copies[word / 3];
      (word % 3 == 0 ? copy.visits : copy.measured) ^= uint64_t{1} << bit;
      const AccumulatorReading reading = ReadAccumulator(accumulator);
      if (reading.state == AccumulatorState::kTorn) {
        EXPECT_EQ(reading.totals.visits, 999u) << "the copy before is whole";
      } else {
        EXPECT_EQ(reading.state, AccumulatorState::kDamaged) << word << " " << bit;
      }
    }
  }
}

TEST(CopyAccumulator, IsWholeWhileTheOwnerGoesOn) {
  Accumulator live;
  live.active = 1;
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    while (!stop) live.Commit(1, 3);
  });
  while (live.sequence.load() == 0) std::this_thread::yield();
  for (int i = 0; i < 500'000; ++i) {
    Accumulator copy;
    CopyAccumulator(live, copy);
    const AccumulatorReading reading = ReadAccumulator(copy);
    ASSERT_EQ(reading.state, AccumulatorState::kWhole);
    ASSERT_EQ(reading.totals.ticks, reading.totals.visits * 3);
    ASSERT_EQ(reading.active, 1u);
  }
  stop = true;
  owner.join();
}

}  // namespace
}  // namespace roofmark::spool
