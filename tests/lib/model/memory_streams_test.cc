// SPDX-License-Identifier: BSD-3-Clause
//
// Streams as one more limit of DRAM: known answers on the machine of model_machine.h, one core of
// which draws 20 GB/s of reads, both together 30.
#include "lib/model/memory_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "lib/model/small_pages.h"
#include "lib/report/advice_words.h"
#include "lib/report/deed_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::CountedJob;
using test::First;
using test::JobOf;
using test::kGiga;
using test::MakeCeiling;
using test::ModelMachine;
using test::Of;
using test::Set;
using ::testing::HasSubstr;

using Draws = std::array<double, kStreamCounts.size()>;

// What one core draws from 1, 2, 4 and 8 streams.
void Add(const Draws& gbs, PageSize pages, Machine& machine) {
  for (size_t i = 0; i < gbs.size(); ++i) {
    const std::string id = StreamCeilingId(kStreamCounts[i], pages);
    machine.ceilings.push_back(MakeCeiling(id, id, gbs[i]));
    machine.ceilings.back().curve.resize(1);
    machine.ceilings.back().curve[0].noise = 0;
  }
}
Machine With(const Draws& gbs) {
  Machine machine = ModelMachine();
  Add(gbs, PageSize::kHuge, machine);
  return machine;
}
const Draws kSteep = {6, 12, 18, 20};

// The same with pages of 4 KiB, from which a core draws at most 10.
Machine WithSmallPages() {
  Machine machine = With(kSteep);
  Add({4, 8, 10, 10}, PageSize::kSmall, machine);
  const std::string id = SmallPagesCeilingId("DRAM");
  machine.ceilings.push_back(MakeCeiling(id, id, 10));
  for (MachinePoint& point : machine.ceilings.back().curve) {
    point.value = 10 * point.cores;
    point.noise = 0;
  }
  return machine;
}

// 24 GB of reads on two ranks in ten seconds, whose lines come in `tenths` / 10 streams.
JobProfile Reading(uint64_t tenths) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, kGiga, 24 * kGiga);
  Set(job, 0, metric::kTimeNs, {10 * kGiga, 10 * kGiga}, "timer");
  Set(job, 0, metric::kWindowLines, {100 * tenths, 100 * tenths}, "counting", Status::kModelled);
  Set(job, 0, metric::kWindowStreamLines, {1000, 1000}, "counting", Status::kModelled);
  return job;
}

PathAnalysis Of24GB(uint64_t tenths, const Machine& machine) {
  const JobProfile job = Reading(tenths);
  return Analyze(job, &machine).paths[0];
}

TEST(StreamCurve, LimitsToThePointAboveAndToSoManyTimesOneStream) {
  const StreamCurve curve(With(kSteep), PageSize::kHuge);
  ASSERT_TRUE(curve.known());
  EXPECT_DOUBLE_EQ(curve.Limit(1), 6);
  EXPECT_DOUBLE_EQ(curve.Limit(1.5), 9) << "one of them has two thirds of all lines";
  EXPECT_DOUBLE_EQ(curve.Limit(2.5), 15);
  EXPECT_DOUBLE_EQ(curve.Limit(4), 18);
  EXPECT_EQ(curve.Limit(5), std::numeric_limits<double>::infinity()) << "as much as any";
  EXPECT_EQ(curve.Limit(1000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(curve.enough(), 8);
  EXPECT_DOUBLE_EQ(curve.most_gbs(), 20);
}

TEST(StreamCurve, FallsForNoNumberOfStreamsAndIsNoTighterThanItsNoise) {
  Machine machine = With({6, 20, 16, 12});
  EXPECT_EQ(StreamCurve(machine, PageSize::kHuge).Limit(8),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(StreamCurve(machine, PageSize::kHuge).enough(), 2);
  machine = With(kSteep);
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id == StreamCeilingId(1)) ceiling.curve[0].noise = 0.5;
  }
  EXPECT_DOUBLE_EQ(StreamCurve(machine, PageSize::kHuge).Limit(1), 9);
}

TEST(StreamCurve, IsUnknownOnMachineFilesOfBefore) {
  const StreamCurve curve(ModelMachine(), PageSize::kHuge);
  EXPECT_FALSE(curve.known());
  EXPECT_EQ(curve.Limit(1), 0);
}

TEST(MemoryStreams, OneStreamOfEachCoreTakesTwiceAsLongAsTheRoof) {
  const PathAnalysis path = Of24GB(10, With(kSteep));
  EXPECT_EQ(path.runtime.binding, "DRAM");
  EXPECT_EQ(First(path), "streams");
  // 24 GB through 2 x 6 GB/s, in place of 30 GB/s.
  EXPECT_NEAR(*path.runtime.attainable, 1 / 2.0, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kStreams).gain.least, 2.5, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kStreams).extent, 1, 1e-9);
  EXPECT_EQ(
      AdviceSentence(Of(path, Shortfall::kStreams), path.runtime),
      "Read several streams at once, or prefetch (lines from DRAM come in one stream: one core "
      "draws 6 GB/s so, 20 GB/s from 8; independent rows or parts of an array): this region's work "
      "up to "
      "2.5x faster");
}

TEST(MemoryStreams, SayWhyDramLimits) {
  JobProfile job = Reading(10);
  const auto ns = uint64_t{2'100'000'000};
  Set(job, 0, metric::kTimeNs, {ns, ns}, "timer");
  const Machine steep = With(kSteep);
  EXPECT_THAT(LimitSentence(Analyze(job, &steep).paths[0]),
              HasSubstr("DRAM bandwidth (its lines come in one stream: one core draws 6 GB/s so, "
                        "20 GB/s from 8) limits it"));
  // Two ranks of ten streams each draw all there is.
  job = Reading(100);
  Set(job, 0, metric::kTimeNs, {800'000'000, 800'000'000}, "timer");
  EXPECT_THAT(LimitSentence(Analyze(job, &steep).paths[0]), HasSubstr("DRAM bandwidth limits it"));
}

TEST(MemoryStreams, LimitNothingWhereManyOrWhereOneDrawsAllOrWhereNothingIsKnown) {
  EXPECT_NEAR(*Of24GB(100, With(kSteep)).runtime.attainable, 1 / 0.8, 1e-9);
  EXPECT_NEAR(*Of24GB(10, With({19.5, 20, 20, 20})).runtime.attainable, 1 / 0.8, 1e-9);
  const PathAnalysis before = Of24GB(10, ModelMachine());
  EXPECT_NEAR(*before.runtime.attainable, 1 / 0.8, 1e-9);
  EXPECT_EQ(Of(before, Shortfall::kStreams).extent.reason.id, Reason::kNoStreams);
  JobProfile job = Reading(10);
  Set(job, 0, metric::kWindowLines, {0, 0}, "counting", Status::kModelled);
  Set(job, 0, metric::kWindowStreamLines, {0, 0}, "counting", Status::kModelled);
  const Machine steep = With(kSteep);
  EXPECT_EQ(Of(Analyze(job, &steep).paths[0], Shortfall::kStreams).extent.reason.id,
            Reason::kNoLineInWindow);
}

// One stream stops where a page ends, and draws less from small pages than several do.
TEST(MemoryStreams, DrawLessFromSmallPages) {
  JobProfile job = Reading(10);
  const auto ns = uint64_t{3'100'000'000};
  Set(job, 0, metric::kTimeNs, {ns, ns}, "timer");
  test::TouchSmallPages(job, 100'000);
  const Machine machine = WithSmallPages();
  const PathAnalysis path = Analyze(job, &machine).paths[0];
  // 24 GB through 2 x 4 GB/s; huge pages leave 2 x 6, many streams 2 x 10.
  EXPECT_NEAR(*path.runtime.attainable, 1 / 3.0, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kSmallPages).gain.least, 1.5, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kStreams).gain.least, 2.5, 1e-9);
  EXPECT_THAT(AdviceSentence(Of(path, Shortfall::kStreams), path.runtime),
              HasSubstr("one stream: one core draws 4 GB/s so, 10 GB/s from 4;"));
  EXPECT_THAT(LimitSentence(path),
              HasSubstr("DRAM bandwidth from pages of 4 KiB (its lines come in one stream: one "
                        "core draws 4 GB/s so, 10 GB/s from 4) limits it"));
}

TEST(MemoryStreams, DrawFromHugePagesAsThese) {
  JobProfile job = Reading(10);
  test::TouchSmallPages(job, 80'000);  // what is read may lie in the others
  const Machine machine = WithSmallPages();
  const PathAnalysis path = Analyze(job, &machine).paths[0];
  EXPECT_NEAR(*path.runtime.attainable, 1 / 2.0, 1e-9);
  EXPECT_EQ(path.runtime.streams.core_gbs, 6);
  test::TouchSmallPages(job, 100'000);
  const Machine before = With(kSteep);
  EXPECT_NEAR(*Analyze(job, &before).paths[0].runtime.attainable, 1 / 2.0, 1e-9)
      << "files of before tell small pages of no number of streams";
}

// Cores that draw nothing do not help those that draw from one stream.
TEST(MemoryStreams, OfFewCoresTakeLongerStill) {
  JobProfile job = CountedJob(1, 2);
  Set(job, 0, metric::kTimeNs, {10 * kGiga}, "timer");
  test::SpreadFlops(job, Width::k256, FlopKind::kFma, kGiga);
  test::SpreadReads(job, 24 * kGiga);
  Set(job, 0, metric::kWorkerBytesMax, {24 * kGiga});
  Set(job, 0, metric::kWindowLines, {1000}, "counting", Status::kModelled);
  Set(job, 0, metric::kWindowStreamLines, {1000}, "counting", Status::kModelled);
  const Machine steep = With(kSteep);
  const PathAnalysis path = Analyze(job, &steep).paths[0];
  EXPECT_NEAR(*path.runtime.attainable, 1 / 4.0, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kStreams).gain.least, 4 / 1.2, 1e-9) << "then 20 GB/s";
  EXPECT_NEAR(*Of(path, Shortfall::kConcurrency).gain.least, 2, 1e-9);
}

}  // namespace
}  // namespace roofmark
