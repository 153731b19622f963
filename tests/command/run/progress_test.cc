// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/progress.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "tests/lib/profile/sample_job.h"

namespace roofmark::cli {
namespace {

using roofmark::test::AddPath;
using roofmark::test::Set;

// Visits of "init" and "solve" on so many ranks.
JobProfile Job(const std::vector<uint64_t>& init, const std::vector<uint64_t>& solve) {
  JobProfile job = roofmark::test::EmptyJob(static_cast<uint32_t>(solve.size()));
  const size_t a = AddPath(job, "init"), b = AddPath(job, "solve");
  Set(job, a, metric::kVisits, init, "timer");
  Set(job, a, metric::kTimeNs, std::vector<uint64_t>(init.size(), 1000), "timer");
  Set(job, b, metric::kVisits, solve, "timer");
  Set(job, b, metric::kTimeNs, std::vector<uint64_t>(solve.size(), 3000), "timer");
  return job;
}

TEST(ShareDone, VisitsOverThoseOfTheTimePassWeighedByTheirTime) {
  const JobProfile time = Job({1, 1}, {100, 100});
  EXPECT_EQ(ShareDone(time, {}), std::nullopt) << "nobody is seen: other nodes, or not begun";
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({0}, {0})}), 0);
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({1}, {0})}), 0.25);
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({1}, {50}), Job({1}, {50})}), 0.625);
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({1}, {1000})}), 1) << "more visits than before";
}

TEST(ShareDone, WithoutTimesNothingIsKnown) {
  EXPECT_EQ(ShareDone(roofmark::test::EmptyJob(1), {Job({1}, {1})}), std::nullopt);
}

TEST(ProgressText, HasTheTimeLeftOnceItIsKnown) {
  EXPECT_EQ(ProgressText(std::nullopt, 30, {25, 281}), "30 s of 25 s to 5 min");
  EXPECT_EQ(ProgressText(0.001, 30, {25, 281}), "30 s of 25 s to 5 min");
  EXPECT_EQ(ProgressText(0.25, 30, {25, 281}), "25 %, 30 s, about 90 s left");
}

TEST(PassProgress, NothingIsLookedAtOrDrawnAtOnce) {
  const JobProfile time = Job({1}, {100});
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  int looks = 0;
  {
    PassProgress progress(
        time, {1, 2},
        [&looks] {
          ++looks;
          return std::vector<JobProfile>();
        },
        ends[1]);
    for (int i = 0; i < 1000; ++i) progress.Tick();
  }
  close(ends[1]);
  EXPECT_LE(looks, 1) << "short passes are over before anything is drawn";
  close(ends[0]);
}

}  // namespace
}  // namespace roofmark::cli
