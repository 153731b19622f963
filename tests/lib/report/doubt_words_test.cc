// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/doubt_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/settings.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/rows.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::JobOf;
using test::kGiga;
using test::Set;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

ReportJob Report(JobProfile profile) {
  JobAnalysis analysis = test::AnalyzedJob(profile);
  return {"F", std::move(profile), std::move(analysis)};
}

// 10 GB from DRAM, of which the margin is so much.
ReportJob Extrapolated(uint64_t margin) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 10 * kGiga);
  Set(profile, 0, metric::kDramMarginBytes, {margin / 2, margin / 2}, "counting",
      Status::kModelled);
  return Report(std::move(profile));
}

TEST(DoubtWords, EveryOutputHasTheInterval) {
  const ReportJob job = Extrapolated(kGiga);
  EXPECT_THAT(StandingLines(job, 0),
              Contains("its DRAM traffic is extrapolated from some visits: 9.00 GB to 11.0 GB "
                       "(95 %), which is 0.727 to 0.889 FLOP/byte"));
  const std::string table = RenderTable({job}, {.width = 120});
  EXPECT_THAT(table, HasSubstr("10.0G~"));
  EXPECT_THAT(table, HasSubstr("~ scaled from the visits that were modelled"));
  EXPECT_THAT(table, HasSubstr("0.800~ 10.0 compute"));
  EXPECT_THAT(table, Not(HasSubstr("thread parallelism"))) << "each rank has one thread";
  EXPECT_THAT(table, Not(ContainsRegex("[0-9]~[^ \n]"))) << "a blank before the next column";
  const std::string csv = RenderCsv(job);
  EXPECT_THAT(csv, HasSubstr("dram_bytes_interval_least,bytes,counting,modelled,job,,9000000000,"));
  EXPECT_THAT(csv, HasSubstr("intensity_dram_interval_most,FLOP/byte,counting,modelled,job,,0.8"));
  EXPECT_THAT(csv, HasSubstr("dram_margin_bytes,bytes,counting,modelled,thread,2,1000000000,"));
  EXPECT_THAT(RenderJson({job}), HasSubstr("\"interval\""));
  EXPECT_THAT(RenderMarkdown({job}), HasSubstr("10.0G\\~"));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("9.00 GB to 11.0 GB"));
  EXPECT_THAT(RenderSvg({job}), HasSubstr("extrapolated: 0.727 to 0.889 FLOP/byte"));
}

TEST(DoubtWords, BurstsAreCalledSo) {
  for (const uint64_t margin : {kGiga, 6 * kGiga}) {
    ReportJob job = Extrapolated(margin);
    job.profile.run.passes.front().settings["visits"] = "bursts";
    const std::string table = RenderTable({job}, {.width = 120});
    EXPECT_THAT(table, HasSubstr("~ scaled from the bursts in which caches were modelled"));
    EXPECT_THAT(StandingLines(job, 0), Contains(HasSubstr("extrapolated from some bursts")));
    EXPECT_THAT(table, Not(HasSubstr("these visits")));
    EXPECT_THAT(HealthThings(job), Not(Contains(HasSubstr("--visits"))));
  }
}

TEST(DoubtWords, BurstsThatMeasuredNothingAreNamed) {
  ReportJob job = Extrapolated(kGiga);
  EXPECT_THAT(RenderTable({job}, {}), Not(HasSubstr("measured nothing")));
  job.profile.run.passes.front().facts[kColdBurstsFact] = "3 bursts measured nothing: why";
  EXPECT_THAT(RenderTable({job}, {}), HasSubstr("differ by; 3 bursts measured nothing: why"));
}

TEST(DoubtWords, WhereNothingWasScaledNoneHas) {
  const ReportJob job = Extrapolated(0);
  EXPECT_THAT(RenderTable({job}, {}), Not(HasSubstr("~ scaled")));
  EXPECT_THAT(RenderCsv(job), Not(HasSubstr("_interval_")));
  EXPECT_THAT(RenderJson({job}), Not(HasSubstr("\"interval\"")));
  EXPECT_THAT(RenderSvg({job}), Not(HasSubstr("extrapolated")));
}

TEST(DoubtWords, AWideIntervalIsSaid) {
  const ReportJob job = Extrapolated(6 * kGiga);
  EXPECT_THAT(StandingLines(job, 0), Contains(HasSubstr("this is wide")));
  EXPECT_THAT(HealthThings(job), Contains(HasSubstr("A r 10.0 GB (4.00 GB to 16.0 GB); what rests "
                                                    "on it")));
}

// 8 GFLOP that one execution counted in some visits, and how far they can be wrong.
JobProfile TookTurns(uint64_t margin, Status status = Status::kScaled) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 10 * kGiga);
  Set(profile, 0, metric::kFlopsMargin, {margin / 2, margin / 2}, "counting", status);
  profile.run.passes.at(1).facts[kTurnsFact] = "timed and counted in turns: r (+80 %)";
  return profile;
}

TEST(DoubtWords, EveryOutputHasTheIntervalOfScaledFlops) {
  const ReportJob job = Report(TookTurns(kGiga));
  EXPECT_THAT(StandingLines(job, 0),
              Contains("its FLOPs are scaled from the visits that were counted: 7.00 GFLOP to "
                       "9.00 GFLOP (95 %)"));
  const std::string table = RenderTable({job}, {.width = 120});
  EXPECT_THAT(table, HasSubstr("~ scaled from the visits that were counted to all"));
  EXPECT_THAT(table, HasSubstr("8.00G~"));
  const std::string csv = RenderCsv(job);
  EXPECT_THAT(csv, HasSubstr("flops_margin,flops,counting,scaled,thread,2,1000000000,"));
  EXPECT_THAT(csv, HasSubstr("intensity_dram_interval_least,FLOP/byte,counting"));
  EXPECT_THAT(RenderJson({job}), HasSubstr("\"interval\""));
}

TEST(DoubtWords, ScaledFlopsOfFewVisitsHaveNoInterval) {
  const ReportJob job = Report(TookTurns(0, Status::kUnsupported));
  EXPECT_THAT(StandingLines(job, 0),
              Contains(HasSubstr("its FLOPs, 8.00 GFLOP, are scaled, and no interval is known")));
}

TEST(DoubtWords, ScaledFlopsOfVisitsThatDidTheSameAreExact) {
  const ReportJob job = Report(TookTurns(0));
  EXPECT_THAT(StandingLines(job, 0), Not(Contains(HasSubstr("FLOPs are scaled"))));
  EXPECT_THAT(RenderTable({job}, {}), Not(HasSubstr("scaled from the visits that were counted")));
}

// Its time, 1 s, too.
JobProfile TookTurnsInTime(uint64_t margin_ns, Status status = Status::kScaled) {
  JobProfile profile = TookTurns(0);
  const std::string origin = profile.sources[metric::kTimeNs].origin;
  Set(profile, 0, metric::kTimeMarginNs, {margin_ns / 2, margin_ns}, origin, status);
  return profile;
}

TEST(DoubtWords, EveryOutputHasTheIntervalOfScaledTimes) {
  const ReportJob job = Report(TookTurnsInTime(kGiga / 4));
  EXPECT_THAT(StandingLines(job, 0), Contains("its time is scaled from the visits that were timed: "
                                              "750 ms to 1.25 s (95 %)"));
  EXPECT_THAT(RenderTable({job}, {}), HasSubstr("~ scaled from the visits that were timed to all"));
  const std::string csv = RenderCsv(job);
  EXPECT_THAT(csv, HasSubstr("\nr,time_s_interval_least,s,timer,measured,job,,0.75,"));
  EXPECT_THAT(csv, HasSubstr("\nr,time_s_interval_most,s,timer,measured,job,,1.25,"));
  EXPECT_THAT(csv, HasSubstr("time_margin_ns,ns,timer,scaled,process,2,"));
  EXPECT_THAT(csv,
              HasSubstr("\nr,gflops_interval_most,GFLOP/s,counting+timer,measured,job,,10.66"));
  EXPECT_THAT(RenderJson({job}), HasSubstr("\"interval\""));
}

TEST(DoubtWords, ScaledTimesOfFewVisitsHaveNoInterval) {
  const ReportJob job = Report(TookTurnsInTime(0, Status::kUnsupported));
  EXPECT_THAT(StandingLines(job, 0),
              Contains("its time, 1.00 s, is scaled, and no interval is known: few visits were "
                       "timed"));
  EXPECT_THAT(RenderTable({Report(TookTurnsInTime(0))}, {}), Not(HasSubstr("~ scaled")));
}

TEST(DoubtWords, WhichRegionsTookTurnsIsSaid) {
  JobProfile profile = TookTurns(0);
  EXPECT_THAT(RenderTable({Report(profile)}, {}),
              HasSubstr("visits took turns (as on rank 0): regions timed and counted in turns"));
  profile.run.ranks = 1;
  EXPECT_EQ(TurnsRemark(profile),
            "visits took turns: regions timed and counted in turns: r (+80 %)");
  profile.run.passes.at(1).facts.erase(kTurnsFact);
  EXPECT_EQ(TurnsRemark(profile), "");
}

TEST(DoubtWords, AContradictionHasTheRegionBothValuesAndItsCauses) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64);
  Set(profile, 0, metric::kDeclaredFlops, {2 * kGiga, 2 * kGiga}, "declared");
  EXPECT_THAT(HealthThings(Report(std::move(profile))),
              Contains(HasSubstr("declared work contradicts what was counted: A r: 8.00 GFLOP "
                                 "counted, 4.00 GFLOP declared (x2.00). Probable causes: more were "
                                 "executed than declared")));
}

}  // namespace
}  // namespace roofmark
