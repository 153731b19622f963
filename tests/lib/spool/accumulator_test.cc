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

// Of an accumulator with 1000 visits whose `field` in copy 0 (current) or 1 (the one before) lost a
// bit.
AccumulatorReading WithFlippedBit(int copy, uint64_t Totals::*field, int bit) {
  Accumulator accumulator;
  CommitTimes(accumulator, 1000);
  accumulator.copies[copy].*field ^= uint64_t{1} << bit;
  return ReadAccumulator(accumulator);
}

// The commit's number shows that the current copy is wrong, and the copy before it is whole.
TEST(ReadAccumulator, DamagedCurrentCopyGivesTheOneBefore) {
  const auto expect_before = [](uint64_t Totals::*field, int bit) {
    const AccumulatorReading reading = WithFlippedBit(0, field, bit);
    EXPECT_EQ(reading.state, AccumulatorState::kTorn) << bit;
    EXPECT_EQ(reading.totals.visits, 999u) << bit;
    EXPECT_EQ(reading.totals.ticks, 9990u) << bit;
  };
  for (int bit : {1, 20}) expect_before(&Totals::visits, bit);
  for (int bit : {1, 20, 40}) expect_before(&Totals::measured, bit);
}

// Which of two copies is wrong cannot be known: the commit's number has 32 bits, and a copy that
// nothing refers to has none.
TEST(ReadAccumulator, OtherDamageGivesNothing) {
  const auto expect_nothing = [](int copy, uint64_t Totals::*field, int bit) {
    const AccumulatorReading reading = WithFlippedBit(copy, field, bit);
    EXPECT_EQ(reading.state, AccumulatorState::kDamaged) << copy << " " << bit;
    EXPECT_EQ(reading.totals.visits, 0u) << copy << " " << bit;
  };
  expect_nothing(0, &Totals::visits, 40);
  for (int bit : {1, 20, 40}) expect_nothing(1, &Totals::visits, bit);
  for (int bit : {1, 20, 40}) expect_nothing(1, &Totals::measured, bit);
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
