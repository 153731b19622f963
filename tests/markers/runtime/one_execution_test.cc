// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark run --one-execution`: times and counts of one execution, beside those of two.
#include "tests/markers/runtime/one_execution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/counts/strata.h"
#include "lib/counts/visit_turns.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Visits do the same, so what is scaled is exact; the interval has no width.
TEST_F(OneExecution, CountsAndTimesAreThoseOfTwo) {
  const JobProfile one = RunOnce("even");
  ASSERT_EQ(one.run.passes.size(), 1u);
  EXPECT_TRUE(one.run.passes[0].times_are_real);
  const std::string first = ended_.out;
  const JobProfile two = RunTwice("even");
  ASSERT_EQ(two.run.passes.size(), 2u);
  for (const std::string path : {"once/cheap", "once/costly", "once/costly/inner"}) {
    EXPECT_EQ(Value(one, path, metric::kVisits), 60u);
    EXPECT_EQ(Value(one, path, kAdds), Value(two, path, kAdds)) << path;
    EXPECT_EQ(Value(one, path, metric::kLoadBytes), Value(two, path, metric::kLoadBytes)) << path;
    EXPECT_EQ(StatusOf(one, path, kAdds), Status::kScaled) << path;
  }
  EXPECT_EQ(Value(one, "once/cheap", kAdds), 60u * 20000);
  EXPECT_EQ(Value(one, "once/costly/inner", kAdds), 60u * 1000);
  for (const std::string path : {"once", "once/cheap", "once/costly"}) {
    EXPECT_EQ(StatusOf(one, path, metric::kTimeNs), Status::kScaled) << path;
  }
}

TEST_F(OneExecution, VisitsThatDoTheSameHaveAnIntervalWithoutWidth) {
  const JobProfile one = RunOnce("even");
  for (const std::string path : {"once/cheap", "once/costly", "once/costly/inner"}) {
    EXPECT_EQ(StatusOf(one, path, metric::kFlopsMargin), Status::kScaled) << path;
    EXPECT_EQ(Value(one, path, metric::kFlopsMargin), 0u) << path;
  }
}

// And by how much counting costs more.
TEST_F(OneExecution, SaysWhichRegionWasTimedAndCountedHow) {
  const JobProfile job = RunOnce("even");
  EXPECT_THAT(Turns(job), HasSubstr("timed and counted at once, where counting costs less than 10 "
                                    "% of the time, and scaled to all visits: once/cheap (+4 %)"));
  EXPECT_THAT(Turns(job),
              HasSubstr("timed and counted in turns, and scaled to all visits: once/costly (+300 "
                        "%), once/costly/inner"));
  EXPECT_THAT(Turns(job), HasSubstr("visited too seldom to be counted: once"));
  EXPECT_THAT(ended_.out, HasSubstr("visits took turns: regions timed and counted"));
  EXPECT_THAT(ended_.err, HasSubstr("visits are timed or counted, in turns"));
  EXPECT_THAT(ended_.err, test::Says(message::kNoCountsInTurns, "once"));
  EXPECT_EQ(StatusOf(job, "once", kAdds), Status::kUnsupported);
  EXPECT_EQ(Value(job, "once", metric::kTimedVisits), 1u);
}

// The sum of all visits is known; it lies in the interval, which has a width.
TEST_F(OneExecution, VisitsThatDifferHaveAnInterval) {
  const JobProfile job = RunOnce("uneven");
  ASSERT_EQ(StatusOf(job, "uneven", metric::kFlopsMargin), Status::kScaled);
  uint64_t truth = 0;
  for (uint64_t i = 0; i < kUnevenVisits; ++i) truth += AddsOf(i);
  const auto adds = static_cast<double>(Value(job, "uneven", kAdds));
  const auto margin = static_cast<double>(Value(job, "uneven", metric::kFlopsMargin));
  EXPECT_GT(margin, 0);
  EXPECT_NEAR(adds, static_cast<double>(truth), margin);
  EXPECT_LT(margin, 0.1 * adds);
  EXPECT_THAT(ended_.out, HasSubstr("scaled from the visits that were counted"));
  const Ended csv = test::Run({ROOFMARK, "report", "--csv", directory_.File("run.csv"), output_},
                              {}, directory_.path());
  EXPECT_EQ(csv.status, 0) << csv.err;
  const Result<std::string> text = ReadFile(directory_.File("run.csv"));
  ASSERT_TRUE(text) << text.error();
  EXPECT_THAT(*text, HasSubstr("gflops_interval_least"));
}

// Of visits whose FLOPs and turns are known, both the sum and its margin follow exactly.
TEST_F(OneExecution, TheMarginIsThatOfTheVisitsThatWereCounted) {
  std::array<counts::Stratum, counts::kStrata> strata{};
  uint64_t sum = 0, counted = 0;
  for (uint64_t i = 1; i < kUnevenVisits; ++i) {
    if (!IsCounted(i)) continue;
    counts::Stratum& stratum = strata[counts::StratumOf(counts::PairOfVisit(i))];
    stratum.number += static_cast<double>(AddsOf(i));
    stratum.by += 1;
    sum += AddsOf(i);
    ++counted;
  }
  const auto margin = static_cast<uint64_t>(
      std::llround(*counts::Margin(strata, static_cast<double>(kUnevenVisits - counted))));
  const JobProfile job = RunOnce("uneven");
  EXPECT_EQ(Value(job, "uneven", metric::kTimedVisits), kUnevenVisits - counted) << Turns(job);
  EXPECT_EQ(Value(job, "uneven", metric::kFlopsMargin), margin);
  EXPECT_EQ(Value(job, "uneven", kAdds), (sum * kUnevenVisits + counted / 2) / counted);
}

// The first one does most of the work, is not counted, and took most of the time.
TEST_F(OneExecution, AFirstVisitUnlikeTheOthersLeavesNoInterval) {
  const JobProfile job = RunOnce("grids");
  EXPECT_EQ(StatusOf(job, "grid", metric::kFlopsMargin), Status::kUnsupported);
  EXPECT_EQ(StatusOf(job, "grid", kAdds), Status::kScaled);
  EXPECT_THAT(ended_.err, test::Says(message::kFlopsUncertainInTurns, "grid"));
}

TEST_F(OneExecution, ARegionInsideThatWasNeverCountedIsMissingAround) {
  const JobProfile job = RunOnce("seldom");
  EXPECT_EQ(StatusOf(job, "twice/once", kAdds), Status::kUnsupported);
  EXPECT_EQ(StatusOf(job, "twice", kAdds), Status::kUnsupported);
  EXPECT_EQ(Value(job, "twice", metric::kTimedVisits), 1u);
  EXPECT_THAT(ended_.err, test::Says(message::kNoCountsInTurns, "twice, twice/once"));
}

TEST_F(OneExecution, ASecondOneCountsWhatIsMissing) {
  const JobProfile job = RunOnce("even", {"--work", "always", "--count", "flops"});
  ASSERT_EQ(job.run.passes.size(), 2u);
  EXPECT_EQ(Value(job, "once", kAdds), 1000u + 60 * (20000 + 5000 + 1000));
  EXPECT_EQ(StatusOf(job, "once", kAdds), Status::kMeasured);
  EXPECT_THAT(Turns(job), HasSubstr("counts are those of a second execution"));
  EXPECT_THAT(ended_.err, Not(test::Says(message::kNoCountsInTurns, testing::_)));
}

// The engine executes all threads but the main one, whatever is timed.
TEST_F(OneExecution, WhereThreadsWorkThereAreNoTimes) {
  const JobProfile job = RunOnce("team");
  EXPECT_EQ(StatusOf(job, "team", metric::kTimeNs), Status::kInvalid);
  EXPECT_EQ(StatusOf(job, "alone", metric::kTimeNs), Status::kScaled);
  EXPECT_EQ(Value(job, "team", kAdds), 60u * 2 * 11000);
  EXPECT_EQ(Value(job, "alone", kAdds), 60u * 10000);
  EXPECT_THAT(ended_.err, test::Says(message::kNoTimesInTurns, "team, team/own"));
  EXPECT_THAT(Turns(job), HasSubstr("counted only, because other threads work in them"));
}

TEST_F(OneExecution, RecursionIsCountedOnce) {
  const JobProfile job = RunOnce("recursive");
  EXPECT_EQ(Value(job, "nest", metric::kVisits), 27u);
  EXPECT_EQ(Value(job, "nest", kAdds), 27u * 1000);
}

TEST_F(OneExecution, RefusesWhatItCannot) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> kWrong = {
      {{"--count", "cache"}, "leave out --count cache"},
      {{"--auto"}, "leave out --auto"},
      {{"--collector", "timer"}, "leave out --collector timer"},
      {{"--repeat", "3"}, "leave out --repeat"},
      {{"--visits", "first:3"}, "leave out --visits"},
      {{"--groups", "all"}, "leave out --groups"},
      {{"--work-limit", "10s"}, "--work always"},
  };
  for (const auto& [options, why] : kWrong) {
    std::vector<std::string> all = {"--one-execution"};
    all.insert(all.end(), options.begin(), options.end());
    const Ended ended = Run(all, "even");
    EXPECT_EQ(ended.status, 2) << why;
    EXPECT_THAT(ended.err, HasSubstr(why));
  }
}

TEST_F(OneExecution, ASettingThatNoCollectorHereHasIsSaid) {
  const Ended ended = test::Run({TURNING, "even"}, {{"ROOFMARK_VISITS", "in-turns"},
                                                    {"ROOFMARK_COLLECTOR", "timer"},
                                                    {"ROOFMARK_OUTPUT", output_}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("ROOFMARK_VISITS=in-turns"));
  EXPECT_EQ(Value(ReadRoofline(output_).job, "once/cheap", metric::kTimedVisits), 60u);
}

}  // namespace
}  // namespace roofmark::test
