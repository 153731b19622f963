// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/caution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/first_table.h"
#include "tests/lib/model/analyzed.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::JobOf;
using test::kGiga;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

ReportJob Analyzed(JobProfile profile) {
  JobAnalysis analysis = test::AnalyzedJob(profile);
  return {"F", std::move(profile), std::move(analysis)};
}

JobProfile Healthy() { return JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64); }

TEST(Caution, OfAHealthyRunItIsSaidThatNothingIsDoubtful) {
  const ReportJob job = Analyzed(Healthy());
  EXPECT_EQ(CautionText(job, 80), "Nothing is known that makes these figures doubtful.\n");
  EXPECT_THAT(HealthBelow(job), IsEmpty());
  EXPECT_EQ(CautionText({"F", test::EmptyJob(1), {}}, 80), "") << "there are no figures";
}

// A quarter of the run; what it costs the region is said as what to do, or as a doubt.
TEST(Caution, PageFaultsAreSaidOnce) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 64);
  profile.run.kernel.system_ns = Cell::Of(kGiga / 4, 1, Status::kMeasured);
  profile.run.kernel.page_faults = Cell::Of(100'000, 0, Status::kMeasured);
  const ReportJob doubt = Analyzed(profile);
  EXPECT_EQ(CautionText(doubt, 80), "CAUTION  page faults take up to 250 ms (25 % of the run)\n");
  EXPECT_THAT(FirstTable(doubt, {}), Not(HasSubstr("Allocate its arrays once")));
  test::Set(profile, 0, metric::kWorkers, {1, 1}, "timer");
  test::Set(profile, 0, metric::kSystemNs, {kGiga / 4, kGiga / 4}, "kernel");
  test::Set(profile, 0, metric::kPageFaults, {50'000, 50'000}, "kernel");
  const ReportJob deed = Analyzed(profile);
  EXPECT_EQ(CautionText(deed, 80), "Nothing is known that makes these figures doubtful.\n");
  EXPECT_THAT(FirstTable(deed, {}), HasSubstr("Allocate its arrays once"));
  EXPECT_THAT(HealthBelow(deed), ElementsAre(HasSubstr("page faults"))) << "with the cure";
}

TEST(Caution, WhatVoidsTimesIsSaidInFullAndOnce) {
  JobProfile profile = JobOf(Width::kScalar, FlopKind::kMul, 2 * kGiga, 64);
  profile.run.hosts.front().cpus = 1;
  const ReportJob job = Analyzed(std::move(profile));
  EXPECT_THAT(CautionText(job, 400),
              AllOf(StartsWith("CAUTION  2 threads share 1 CPU on node1"), HasSubstr("do not hold"),
                    HasSubstr("start the program without taskset")));
  EXPECT_THAT(HealthBelow(job), IsEmpty());
}

TEST(Caution, OtherDoubtsAreALineEachAndASentenceBelow) {
  JobProfile profile = Healthy();
  test::Set(profile, 0, metric::kVisits, {101, 101}, "timer");
  test::Set(profile, 0, metric::kLongestVisitNs, {kGiga / 2, kGiga / 4}, "timer");
  const ReportJob job = Analyzed(std::move(profile));
  EXPECT_EQ(CautionText(job, 80), "CAUTION  one visit of A r took 500 ms of 1.00 s\n");
  EXPECT_THAT(HealthBelow(job),
              ElementsAre(StartsWith("one visit took much longer than the others")));
}

TEST(Caution, ThreeLinesAreEnough) {
  JobProfile profile = Healthy();
  for (const char* warning : {"first", "second", "third", "fourth", "fifth"}) {
    profile.run.warnings.emplace_back(warning);
  }
  const ReportJob job = Analyzed(std::move(profile));
  EXPECT_EQ(CautionText(job, 80),
            "CAUTION  first\n         second\n         third\n"
            "         and 2 more: see \"health\" below\n");
  EXPECT_THAT(HealthBelow(job), ElementsAre("fourth", "fifth"));
}

TEST(Caution, StandsBeforeWhatToDoAndHealthBelowTheTable) {
  JobProfile profile = Healthy();
  test::Set(profile, 0, metric::kVisits, {101, 101}, "timer");
  test::Set(profile, 0, metric::kLongestVisitNs, {kGiga / 2, kGiga / 4}, "timer");
  const std::string text = RenderTable({Analyzed(std::move(profile))}, {80, false});
  size_t last = 0;
  for (const char* part :
       {"CAUTION  ", "What to do first", "  region", "\nA r\n", "\nhealth\n", "\nrun\n"}) {
    const size_t at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part << text;
    EXPECT_GT(at, last) << part;
    last = at;
  }
}

}  // namespace
}  // namespace roofmark
