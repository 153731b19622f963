// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Took `wall_s`; its two ranks were in "solve" for `solve_ns` and half of that. `other`: a second
// region that it entered.
JobProfile Execution(double wall_s, uint64_t solve_ns, const std::string& other = {}) {
  JobProfile job = test::EmptyJob(2);
  test::AddPass(job, "timer", wall_s);
  test::Set(job, test::AddPath(job, "solve"), metric::kTimeNs, {solve_ns / 2, solve_ns});
  if (!other.empty()) test::Set(job, test::AddPath(job, other), metric::kTimeNs, {7, 7});
  return job;
}

TEST(Repeats, TheOneInTheMiddleStandsForAll) {
  const JobProfile joined = JoinRepeats({Execution(5, 500), Execution(3, 300), Execution(4, 600)});
  EXPECT_EQ(joined.run.passes[0].wall_s, 4);
  EXPECT_EQ(joined.At(0, metric::kTimeNs).max, 600u);
  EXPECT_THAT(joined.run.repeats_s, ElementsAre(5, 3, 4));
  EXPECT_THAT(joined.paths[0].repeats_ns, ElementsAre(500, 300, 600));
}

TEST(Repeats, OfAnEvenNumberTheShorterOneOfTheMiddle) {
  EXPECT_EQ(JoinRepeats({Execution(5, 1), Execution(3, 1)}).run.passes[0].wall_s, 3);
  EXPECT_EQ(JoinRepeats({Execution(3, 10), Execution(3, 20)}).At(0, metric::kTimeNs).max, 10u);
}

TEST(Repeats, ARegionThatOneDidNotEnterHasNoTimeThere) {
  const JobProfile joined =
      JoinRepeats({Execution(5, 500), Execution(4, 400, "write"), Execution(3, 300)});
  ASSERT_EQ(joined.paths.size(), 2u);
  EXPECT_THAT(joined.paths[1].repeats_ns, ElementsAre(0, 7, 0));
}

TEST(Repeats, OneAloneIsNone) {
  const JobProfile joined = JoinRepeats({Execution(5, 500)});
  EXPECT_THAT(joined.run.repeats_s, IsEmpty());
  EXPECT_THAT(joined.paths[0].repeats_ns, IsEmpty());
}

}  // namespace
}  // namespace roofmark
