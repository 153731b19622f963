// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/missing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/profile/sample_job.h"

namespace roofmark::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr MetricId kDp256 = AnyKindFlops(Precision::kDouble, Width::k256);

// What hardware counters gave in a region: FLOPs on two ranks, bytes of one package.
JobProfile Counted() {
  JobProfile job = roofmark::test::EmptyJob(2);
  roofmark::test::AddPass(job, "perf_event", 2);
  const size_t path = roofmark::test::AddPath(job, "solve");
  using roofmark::test::Set;
  Set(job, path, metric::kVisits, {1, 1}, "timer");
  Set(job, path, kDp256, {10, 20}, "perf_event");
  Set(job, path, metric::kFlops, {10, 20}, "perf_event");
  Set(job, path, metric::kPackageDramReadBytes, {640}, "perf_event");
  Set(job, path, metric::kPackageDramWriteBytes, {64}, "perf_event");
  Set(job, path, metric::kDramBytes, {704}, "perf_event");
  return job;
}

void Deny(JobProfile& job, MetricId metric) {
  job.sources[metric] = {"", Status::kDenied, "perf_event_paranoid is 2"};
  for (size_t path = 0; path < job.paths.size(); ++path) job.At(path, metric) = Cell();
}

JobProfile WithoutBytes() {
  JobProfile job = Counted();
  for (const MetricId metric :
       {metric::kPackageDramReadBytes, metric::kPackageDramWriteBytes, metric::kDramBytes}) {
    Deny(job, metric);
  }
  return job;
}

RunOptions With(const std::string& collector, const std::string& work = kWorkAuto,
                const std::string& count = "") {
  RunOptions options;
  options.collector = collector;
  options.work = work;
  options.count = count;
  return options;
}

TEST(DecideWorkPass, WhatHardwareCountedIsTheResult) {
  const NextPass next = DecideWorkPass(Counted(), With("auto"));
  EXPECT_FALSE(next.execute);
  EXPECT_THAT(next.reasons, IsEmpty());
  JobProfile scaled = Counted();
  scaled.sources[metric::kFlops].status = Status::kScaled;
  EXPECT_FALSE(DecideWorkPass(scaled, With("auto")).execute);
}

TEST(DecideWorkPass, NothingFollowsWhereGpusAreCounted) {
  const NextPass next = DecideWorkPass(WithoutBytes(), With("cupti"));
  EXPECT_FALSE(next.execute);
  EXPECT_THAT(next.reasons, IsEmpty());
  EXPECT_TRUE(DecideWorkPass(WithoutBytes(), With("cupti", kWorkAlways)).execute);
}

TEST(DecideWorkPass, MissingBytesAreModelledAndTheReasonIsSaid) {
  const NextPass next = DecideWorkPass(WithoutBytes(), With("auto"));
  EXPECT_TRUE(next.execute);
  EXPECT_THAT(next.reasons, ElementsAre("DRAM bytes were not counted: perf_event_paranoid is 2"));
  EXPECT_EQ(next.count, "") << "the cache model is needed";
}

TEST(CountedByNobody, HasWhatNoCollectorOffered) {
  JobProfile job = WithoutBytes();
  const auto all = CountedByNobody(job);
  EXPECT_THAT(all, Contains(metric::kMissesCompulsory));
  EXPECT_THAT(all, Not(Contains(metric::kFlops))) << "it was counted";
  EXPECT_THAT(all, Not(Contains(metric::kDramBytes))) << "a collector said why not";
  job.sources[metric::kDramBytes].reason = job.sources[metric::kMissesCompulsory].reason;
  EXPECT_THAT(CountedByNobody(job), Contains(metric::kDramBytes));
}

// The file's own reason would send the user to `roofmark run`.
TEST(DecideWorkPass, WhatTheUserDidNotChooseIsNamedSo) {
  JobProfile job = WithoutBytes();
  job.sources[metric::kDramBytes].reason = job.sources[metric::kMissesCompulsory].reason;
  EXPECT_THAT(DecideWorkPass(job, With("auto")).reasons,
              ElementsAre("DRAM bytes were not counted: the collector has no event for them here"));
  job.run.passes[0].settings["group"] = "dp";
  EXPECT_THAT(DecideWorkPass(job, With("auto")).reasons,
              ElementsAre("DRAM bytes were not counted: they are not in ROOFMARK_GROUP=dp"));
  job.run.passes[0].settings["events"] = "cycles";
  EXPECT_THAT(DecideWorkPass(job, With("auto")).reasons,
              ElementsAre("DRAM bytes were not counted: they are not in ROOFMARK_EVENTS"));
}

// What is missing decides what is counted: FLOPs alone are much cheaper than caches.
TEST(DecideWorkPass, MissingFlopsAloneNeedNoCacheModel) {
  JobProfile job = Counted();
  Deny(job, kDp256);
  Deny(job, metric::kFlops);
  const NextPass next = DecideWorkPass(job, With("auto"));
  EXPECT_THAT(next.reasons, ElementsAre("FLOPs were not counted: perf_event_paranoid is 2"));
  EXPECT_EQ(next.count, "flops");
  EXPECT_EQ(DecideWorkPass(job, With("auto", kWorkAuto, "cache")).count, "cache");
}

TEST(DecideWorkPass, PrecisionsThatAreMixedAreMissing) {
  JobProfile job = Counted();
  job.sources[metric::kFlops].status = Status::kMixedPrecision;
  const NextPass next = DecideWorkPass(job, With("auto"));
  EXPECT_TRUE(next.execute);
  EXPECT_THAT(next.reasons, ElementsAre(HasSubstr("all precisions mixed")));
  EXPECT_EQ(next.count, "flops");
}

TEST(DecideWorkPass, FlopsOfSomeRanksAreNotThoseOfTheJob) {
  JobProfile job = Counted();
  job.At(0, metric::kFlops) = Cell::Of(10, 0, Status::kMeasured);
  EXPECT_THAT(DecideWorkPass(job, With("auto")).reasons,
              ElementsAre("FLOPs of region \"solve\" were counted on 1 of 2 ranks"));
  job = Counted();
  job.At(0, metric::kFlops).status_bits |= Bit(Status::kInvalid);
  EXPECT_THAT(DecideWorkPass(job, With("auto")).reasons,
              ElementsAre("FLOPs of region \"solve\" were counted wrongly"));
}

TEST(DecideWorkPass, VisitsThatWereTooShortForControllersHaveNoBytes) {
  JobProfile job = Counted();
  for (const MetricId metric :
       {metric::kPackageDramReadBytes, metric::kPackageDramWriteBytes, metric::kDramBytes}) {
    job.At(0, metric) = Cell();
  }
  EXPECT_THAT(DecideWorkPass(job, With("auto")).reasons,
              ElementsAre(HasSubstr("no visit was long enough")));
}

TEST(DecideWorkPass, WithoutCountersOneSentenceHasTheReason) {
  JobProfile job = roofmark::test::EmptyJob(1);
  roofmark::test::AddPass(job, "timer", 2);
  job.run.passes[0].facts[kNoCountersFact] = "the kernel offers none";
  const NextPass next = DecideWorkPass(job, With("auto"));
  EXPECT_TRUE(next.execute);
  EXPECT_THAT(next.reasons, ElementsAre("FLOPs and DRAM bytes were not counted: no hardware "
                                        "counters (the kernel offers none)"));
  EXPECT_EQ(next.count, "");
}

TEST(DecideWorkPass, WithoutRegionsHardwareTellsNothing) {
  JobProfile job = Counted();
  job.paths.clear();
  job.cells = {};
  EXPECT_THAT(DecideWorkPass(job, With("auto")).reasons,
              ElementsAre(HasSubstr("no region was recorded")));
}

// A slip in a pattern must not cost an execution under the engine.
TEST(DecideWorkPass, FollowsNoChoiceOfRegionsThatThereAreNot) {
  JobProfile job = WithoutBytes();
  job.run.passes[0].settings["regions"] = "sovle";
  EXPECT_TRUE(DecideWorkPass(job, With("auto")).execute);
  job.paths.clear();
  job.cells = {};
  const NextPass next = DecideWorkPass(job, With("auto"));
  EXPECT_FALSE(next.execute);
  EXPECT_THAT(next.refused, HasSubstr("no region was recorded with ROOFMARK_REGIONS=sovle"));
  EXPECT_TRUE(DecideWorkPass(job, With("auto", kWorkAlways)).execute);
}

TEST(DecideWorkPass, MayBeRefusedOrDemanded) {
  const NextPass never = DecideWorkPass(WithoutBytes(), With("auto", kWorkNever));
  EXPECT_FALSE(never.execute);
  EXPECT_EQ(never.reasons.size(), 1u) << "what is missing is said all the same";
  EXPECT_THAT(never.refused, HasSubstr("--work never"));
  EXPECT_TRUE(DecideWorkPass(Counted(), With("auto", kWorkAlways)).execute);
  EXPECT_TRUE(DecideWorkPass(Counted(), With("timer", kWorkAlways)).execute);
  EXPECT_EQ(DecideWorkPass(Counted(), With("auto", kWorkAlways)).count, "") << "all of it";
}

// Who names a collector gets that one, and is told what it left out.
TEST(DecideWorkPass, ACollectorThatIsNamedIsAlone) {
  for (const char* collector : {"perf_event", "papi"}) {
    const NextPass next = DecideWorkPass(WithoutBytes(), With(collector));
    EXPECT_FALSE(next.execute);
    EXPECT_EQ(next.reasons.size(), 1u);
    EXPECT_THAT(next.refused, HasSubstr(std::string("--collector ") + collector));
    EXPECT_TRUE(DecideWorkPass(WithoutBytes(), With(collector, kWorkAlways)).execute);
  }
  const NextPass timer = DecideWorkPass(WithoutBytes(), With("timer"));
  EXPECT_FALSE(timer.execute);
  EXPECT_THAT(timer.reasons, IsEmpty()) << "nothing was to be counted";
}

TEST(DecideWorkPass, CachesAndMissesAreAskedOfTheEngineByName) {
  for (const char* count : {"cache", "threec"}) {
    const NextPass next = DecideWorkPass(Counted(), With("auto", kWorkAuto, count));
    EXPECT_TRUE(next.execute);
    EXPECT_EQ(next.count, count);
  }
  EXPECT_FALSE(DecideWorkPass(Counted(), With("auto", kWorkAuto, "flops")).execute);
}

}  // namespace
}  // namespace roofmark::cli
