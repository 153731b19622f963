// SPDX-License-Identifier: BSD-3-Clause
//
// How long the work pass may take, and what is lowered so that it takes less.
#include "command/run/limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/whole.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark::cli {
namespace {

using roofmark::test::AddPath;
using roofmark::test::Set;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kSecond = 1'000'000'000;
constexpr double kVisits = 100'001;  // of Time()

// One rank, 10 s: "init" once for 1 s, "solve" 100,000 times for 9 s.
JobProfile Time(uint32_t threads = 1) {
  JobProfile job = roofmark::test::EmptyJob(1, threads);
  roofmark::test::AddPass(job, "timer", 10);
  const size_t init = AddPath(job, "init"), solve = AddPath(job, "solve");
  Set(job, init, metric::kVisits, {1}, "timer");
  Set(job, init, metric::kTimeNs, {kSecond}, "timer");
  Set(job, solve, metric::kVisits, {100'000}, "timer");
  Set(job, solve, metric::kTimeNs, {9 * kSecond}, "timer");
  return job;
}

WorkExtent Counting(const std::string& count, uint64_t first_visits = 0) {
  return {count, first_visits, false};
}

TEST(ExpectWork, MoreIsExpectedToTakeLonger) {
  const Expectation flops = ExpectWork(Time(), Counting("flops"));
  const Expectation cache = ExpectWork(Time(), Counting("cache"));
  const Expectation threec = ExpectWork(Time(), Counting("threec"));
  EXPECT_NEAR(flops.least_s, 25 + kVisits * 2e-6, 1e-9) << "2.4 times 10 s, and the start";
  EXPECT_NEAR(flops.most_s, 281 + kVisits * 20e-6, 1e-9);
  EXPECT_LT(flops.most_s, cache.most_s);
  EXPECT_LT(cache.most_s, threec.most_s);
  EXPECT_LT(ExpectWork(Time(), {"cache", 0, true}).most_s, cache.most_s) << "one line in N";
  EXPECT_EQ(ExpectWork(Time(), {"threec", 0, true}).most_s, threec.most_s);
}

// All threads at once; why misses happen it does not tell.
TEST(ExpectWork, TheNativeEngineIsFaster) {
  const WorkExtent native{"flops", 0, false, true}, cache{"cache", 0, false, true};
  EXPECT_LT(ExpectWork(Time(4), native).most_s, 100);
  EXPECT_EQ(ExpectWork(Time(4), native).most_s, ExpectWork(Time(), native).most_s);
  EXPECT_LT(ExpectWork(Time(), cache).most_s, ExpectWork(Time(), Counting("cache")).most_s);
  EXPECT_EQ(ExpectWork(Time(4), cache).most_s, ExpectWork(Time(), cache).most_s);
  EXPECT_LT(ExpectWork(Time(), {"cache", 0, true, true}).most_s, ExpectWork(Time(), cache).most_s);
  EXPECT_LT(ExpectWork(Time(), {"cache", 0, true, true, true}).most_s,
            ExpectWork(Time(), {"cache", 0, true, true}).most_s)
      << "in bursts";
  EXPECT_EQ(ExpectWork(Time(), {"threec", 0, false, true}).most_s,
            ExpectWork(Time(), Counting("threec")).most_s);
}

// The engine executes one thread at a time.
TEST(ExpectWork, ThreadsMultiplyWhatTheyWorkedAtOnce) {
  const Expectation one = ExpectWork(Time(), Counting("flops"));
  const Expectation four = ExpectWork(Time(4), Counting("flops"));
  EXPECT_EQ(four.least_s, one.least_s) << "nobody knows whether they worked";
  EXPECT_NEAR(four.most_s, 4 * 280 + 1 + kVisits * 20e-6, 1e-9);
  JobProfile measured = Time(4);
  measured.whole = CellTable(kWholeRows);
  const CellRow program{measured.whole, static_cast<size_t>(WholeRow::kProgram)};
  program[metric::kParallelNs] = Cell::Of(4 * kSecond, 0, Status::kMeasured);
  program[metric::kOpenMpBusyNs] = Cell::Of(14 * kSecond, 0, Status::kMeasured);
  const Expectation known = ExpectWork(measured, Counting("flops"));
  EXPECT_NEAR(known.least_s, 2 * 24 + 1 + kVisits * 2e-6, 1e-9) << "20 s of processors in 10 s";
  EXPECT_NEAR(known.most_s, 2 * 280 + 1 + kVisits * 20e-6, 1e-9);
}

// What a boundary costs does not shrink with what is between two of them.
TEST(ExpectWork, TinyRegionsTakeTheTimeOfTheirBoundaries) {
  JobProfile tiny = roofmark::test::EmptyJob(1, 1);
  roofmark::test::AddPass(tiny, "timer", 0.35);
  const size_t step = AddPath(tiny, "step");
  Set(tiny, step, metric::kVisits, {4'000'000}, "timer");
  Set(tiny, step, metric::kTimeNs, {kSecond / 4}, "timer");
  for (const bool native : {false, true}) {
    const Expectation expected = ExpectWork(tiny, {"cache", 0, false, native});
    EXPECT_LT(expected.least_s, 50) << "51 s and 83 s were measured";
    EXPECT_GT(expected.most_s, 80);
  }
}

// Waiting takes as long under the engine, and idle threads work nothing.
TEST(ExpectWork, WhatIsMultipliedIsCpuTime) {
  JobProfile waits = Time(4);
  waits.run.kernel.cpu_ns = Cell::Of(2 * kSecond, 0, Status::kMeasured);
  const Expectation expected = ExpectWork(waits, Counting("flops"));
  EXPECT_NEAR(expected.least_s, 1 + 8 + 2 * 2.4 + kVisits * 2e-6, 1e-9);
  EXPECT_NEAR(expected.most_s, 1 + 8 + 2 * 28 + kVisits * 20e-6, 1e-9);
  const Expectation native = ExpectWork(waits, {"flops", 0, false, true});
  EXPECT_NEAR(native.most_s, 0.1 + 8 + 2 * 8 + kVisits * 20e-6, 1e-9);
  waits.run.kernel.cpu_ns = Cell::Of(40 * kSecond, 0, Status::kMeasured);
  EXPECT_NEAR(ExpectWork(waits, Counting("flops")).most_s, 1 + 40 * 28 + kVisits * 20e-6, 1e-9);
}

// A loop of shifts, divisions and branches took 3 times as long, one of streams 16 times.
TEST(ExpectWork, CodeInRegistersTakesLess) {
  const Expectation cache = ExpectWork(Time(), Counting("cache"));
  EXPECT_LT(cache.least_s, 40);
  EXPECT_GT(cache.most_s, 160);
}

TEST(ExpectWork, FewerVisitsShortenWhatIsModelled) {
  EXPECT_EQ(ModelledShare(Time(), 0), 1);
  const double few = ModelledShare(Time(), 3), more = ModelledShare(Time(), 300);
  EXPECT_GT(few, 0.1) << "init is modelled whole";
  EXPECT_LT(few, 0.102);
  EXPECT_LT(few, more);
  EXPECT_EQ(ModelledShare(Time(), 1'000'000), 1);
  EXPECT_EQ(ModelledShare(roofmark::test::EmptyJob(1), 3), 1) << "no region";
}

TEST(FitWork, WhatFitsIsNotLowered) {
  const FittedWork fitted = FitWork(Time(), Counting("cache"), 3600);
  EXPECT_TRUE(fitted.fits);
  EXPECT_EQ(fitted.extent.count, "cache");
  EXPECT_EQ(fitted.extent.first_visits, 0u);
  EXPECT_THAT(fitted.sentences, IsEmpty());
}

TEST(FitWork, VisitsAreLoweredFirst) {
  const FittedWork fitted = FitWork(Time(), Counting("cache"), 400);
  EXPECT_EQ(fitted.extent.count, "cache");
  EXPECT_EQ(fitted.extent.first_visits, 300u) << "the most that fit";
  EXPECT_LE(fitted.expectation.most_s, 400);
  EXPECT_THAT(fitted.sentences, ElementsAre(HasSubstr("modelled in 300 visits of each region")));
}

TEST(FitWork, ThenTheCachesAreLeftOut) {
  const FittedWork fitted = FitWork(Time(), Counting("threec"), 290);
  EXPECT_EQ(fitted.extent.count, "flops");
  EXPECT_EQ(fitted.extent.first_visits, 0u);
  EXPECT_THAT(fitted.sentences, ElementsAre(HasSubstr("no bytes of caches and DRAM")));
}

TEST(FitWork, FewerVisitsThanTheUserWantsAreTriedAlone) {
  const FittedWork fitted = FitWork(Time(), Counting("cache", 10), 335.5);
  EXPECT_EQ(fitted.extent.count, "cache");
  EXPECT_EQ(fitted.extent.first_visits, 3u);
}

TEST(FitWork, WhatMayTakeLongerIsExecutedAndSaid) {
  const FittedWork fitted = FitWork(Time(), Counting("cache"), 100);
  EXPECT_TRUE(fitted.fits);
  EXPECT_EQ(fitted.extent.count, "flops");
  EXPECT_THAT(fitted.sentences.back(), HasSubstr("may take longer than --work-limit 100 s"));
}

TEST(FitWork, WhatCanNeverFitIsNotExecuted) {
  const FittedWork fitted = FitWork(Time(), Counting("flops"), 20);
  EXPECT_FALSE(fitted.fits);
  EXPECT_THAT(fitted.sentences, ElementsAre(HasSubstr("no work pass is made: even FLOPs alone")));
}

TEST(ParseLimit, SecondsMinutesAndHours) {
  EXPECT_EQ(ParseLimit("90"), 90);
  EXPECT_EQ(ParseLimit("90s"), 90);
  EXPECT_EQ(ParseLimit("10m"), 600);
  EXPECT_EQ(ParseLimit("1.5h"), 5400);
  for (const char* wrong : {"", "0", "-1m", "m", "10 m", "10x", "inf", "nan", "1e999"}) {
    EXPECT_EQ(ParseLimit(wrong), std::nullopt) << wrong;
  }
}

TEST(Durations, AreRoundedForPeople) {
  EXPECT_EQ(Duration(1.25), "1.2 s");
  EXPECT_EQ(Duration(119), "119 s");
  EXPECT_EQ(Duration(150), "2 min");
  EXPECT_EQ(Duration(9000), "2.5 h");
  EXPECT_EQ(Describe({25, 281}), "25 s to 5 min");
}

}  // namespace
}  // namespace roofmark::cli
