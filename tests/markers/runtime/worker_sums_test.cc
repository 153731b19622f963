// SPDX-License-Identifier: BSD-3-Clause
//
// What a collector learns of visits that took turns: whether the first one was like the others.
#include "markers/runtime/worker_sums.h"

#include <gtest/gtest.h>

#include "tests/markers/runtime/played_turns.h"

namespace roofmark::runtime {
namespace {

// The first visit takes `first` ticks, the others from 90 to 110.
VisitCounts After(uint64_t first, int others) {
  PlayedTurns played;
  const uint32_t path = played.AddPath("path");
  played.Pass(path, first);
  for (int i = 0; i < others; ++i) played.Pass(path, 90 + static_cast<uint64_t>(i) * 7 % 21);
  return WorkerSums(played.turns, played.input).VisitsOf(path);
}

TEST(WorkerSums, VisitsAreThoseOfAllThreadsAndTurns) {
  const VisitCounts visits = After(100, 40);
  EXPECT_EQ(visits.all, 41u);
  uint64_t counted = 0;
  for (const uint64_t each : visits.counted) counted += each;
  EXPECT_EQ(counted, 20u);
  EXPECT_FALSE(visits.others_untimed);
}

TEST(WorkerSums, AFirstVisitUpToTwiceAsLongIsLikeTheOthers) {
  for (const uint64_t first : {60u, 100u, 200u}) {
    EXPECT_FALSE(After(first, 40).unlike_first) << first;
  }
  ASSERT_TRUE(After(1000, 40).unlike_first);
  EXPECT_NEAR(*After(1000, 40).unlike_first, 10, 0.5);
  ASSERT_TRUE(After(40, 40).unlike_first);
  EXPECT_NEAR(*After(40, 40).unlike_first, 0.4, 0.02);
}

TEST(WorkerSums, WhereNoOtherOneWasTimedThatIsSaid) {
  EXPECT_TRUE(After(100, 1).others_untimed);
  EXPECT_FALSE(After(100, 1).unlike_first);
}

}  // namespace
}  // namespace roofmark::runtime
