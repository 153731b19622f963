// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/left_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "command/pass_directory.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/core/messages/command_run.h"
#include "lib/found/found_json.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

using roofmark::test::AddPath;
using roofmark::test::Set;

class LeftPassesTest : public testing::Test {
 protected:
  // One that a killed command left.
  std::string Left(const std::string& name) const {
    const std::string path = directory_.File(name);
    fs::create_directories(path);
    return path;
  }
  static void Write(const std::string& path, const std::string& collector, MetricId metric,
                    uint64_t value) {
    Save(path, JobOf(collector, metric, value));
  }
  static JobProfile JobOf(const std::string& collector, MetricId metric, uint64_t value) {
    JobProfile job = roofmark::test::EmptyJob(1);
    roofmark::test::AddPass(job, collector, 1);
    const size_t step = AddPath(job, "step");
    Set(job, step, metric::kVisits, {10}, collector);
    Set(job, step, metric, {value}, collector);
    return job;
  }
  static void Save(const std::string& path, const JobProfile& job) {
    fs::create_directories(fs::path(path).parent_path());
    ASSERT_TRUE(WriteFile(path, RooflineToJson({job, {}}), IfExists::kRefuse));
  }
  // One rank of two.
  static void WritePart(const std::string& path, uint32_t rank, uint64_t time_ns) {
    JobProfile job = JobOf("timer", metric::kTimeNs, time_ns);
    job.run.ranks = 2;
    job.run.first_rank = rank;
    Save(path, job);
  }
  // The time pass.
  std::string LeftAfterTimePass() const {
    std::string left = Left(".run.json.passes.Ab12cD");
    Write(left + "/auto.json", "timer", metric::kTimeNs, 5000);
    return left;
  }
  static JobProfile Joined(const std::string& left) {
    Result<RooflineFile> file = JoinLeftPasses(left);
    EXPECT_TRUE(file) << file.error();
    return file ? std::move(file->job) : JobProfile();
  }
  const test::TempDir directory_;
};

TEST_F(LeftPassesTest, TimesAndCountsAreJoined) {
  const std::string left = Left(".run.json.passes.Ab12cD");
  Write(left + "/auto.json", "timer", metric::kTimeNs, 5000);
  Write(left + "/counting.json", "counting", test::kDpScalarAdd, 7);
  const Result<RooflineFile> file = JoinLeftPasses(left + "/");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(test::Value(file->job, "step", metric::kTimeNs), 5000u);
  EXPECT_EQ(test::Value(file->job, "step", test::kDpScalarAdd), 7u);
  EXPECT_THAT(file->job.run.warnings, testing::Contains(test::Says(message::kPassesWereLeft, "")));
}

TEST_F(LeftPassesTest, RepeatsLieInPlacesOfTheirOwn) {
  const std::string left = LeftAfterTimePass();
  Write(left + "/time.2/auto.json", "timer", metric::kTimeNs, 5000);
  EXPECT_EQ(Joined(left).run.repeats_s.size(), 2u);
}

TEST_F(LeftPassesTest, OtherGroupsOfCountersAreNoRepeats) {
  const std::string left = LeftAfterTimePass();
  Write(left + "/counters.1/auto.json", "perf_event", metric::kInstructions, 7);
  const JobProfile job = Joined(left);
  EXPECT_THAT(job.run.repeats_s, testing::IsEmpty());
  EXPECT_EQ(test::Value(job, "step", metric::kTimeNs), 5000u);
  EXPECT_EQ(test::Value(job, "step", metric::kInstructions), 7u);
}

TEST_F(LeftPassesTest, AnExecutionForGpusThatCountedNothingIsNamed) {
  const std::string left = LeftAfterTimePass();
  Write(left + "/counters.1/cupti.json", "cupti", metric::kTimeNs, 9000);
  const JobProfile job = Joined(left);
  EXPECT_EQ(job.run.passes.size(), 1u);
  EXPECT_THAT(job.run.warnings,
              testing::Contains(InWords(message::kNothingCountedOnGpus, "the program used none")));
}

TEST_F(LeftPassesTest, ExecutionsThatLookForLoopsAreNeitherTimeNorWork) {
  const std::string left = LeftAfterTimePass();
  Write(left + "/noting.1/counting.json", "counting", test::kDpScalarAdd, 7);
  Write(left + "/places.1/auto.json", "timer", metric::kTimeNs, 9000);
  ASSERT_TRUE(WriteFile(left + "/nests.json", "{\"roofmark\": \"nests\"}", IfExists::kRefuse));
  const JobProfile job = Joined(left);
  EXPECT_EQ(job.run.passes.size(), 1u);
  EXPECT_THAT(job.run.repeats_s, testing::IsEmpty());
  const std::string why =
      InWords(message::kLeftLoopsHaveNoTimes, "no execution that counts them had ended");
  EXPECT_THAT(
      job.run.warnings,
      testing::ElementsAre(InWords(message::kPassesWereLeft, ": what it counts is missing"), why));
  EXPECT_EQ(job.run.passes[0].facts.at(kFoundFact), why);
}

TEST_F(LeftPassesTest, WhyLoopsHaveNoTimesIsSaid) {
  const std::string left = LeftAfterTimePass();
  Write(left + "/counting.json", "counting", test::kDpScalarAdd, 7);
  Write(left + "/noting.1/counting.json", "counting", test::kDpScalarAdd, 7);
  const auto says = [](const char* why) {
    return testing::Contains(InWords(message::kLeftLoopsHaveNoTimes, why));
  };
  EXPECT_THAT(Joined(left).run.warnings, says("none takes 1 % of the time"));
  const std::string plan = NestPlanToJson({});
  ASSERT_TRUE(WriteFile(left + "/nests.json", plan, IfExists::kRefuse));
  EXPECT_THAT(Joined(left).run.warnings, says("the time pass left no samples"));
}

TEST_F(LeftPassesTest, VisitsInTurnsHaveTimes) {
  const std::string left = Left(".run.json.passes.Ab12cD");
  Write(left + "/turns.1/counting.json", "counting", metric::kTimeNs, 5000);
  Write(left + "/counting.json", "counting", test::kDpScalarAdd, 7);
  const JobProfile job = Joined(left);
  EXPECT_EQ(test::Value(job, "step", metric::kTimeNs), 5000u);
  EXPECT_EQ(test::Value(job, "step", test::kDpScalarAdd), 7u);
}

TEST_F(LeftPassesTest, PartsOfRanksAreJoined) {
  const std::string left = Left(".run.json.passes.Ab12cD");
  WritePart(left + "/auto.part0.json", 0, 5000);
  WritePart(left + "/auto.part1.json", 1, 6000);
  WritePart(left + "/time.2/auto.part0.json", 0, 5000);
  WritePart(left + "/time.2/auto.part1.json", 1, 6000);
  // Killed while its ranks ended.
  WritePart(left + "/time.3/auto.part1.json", 1, 6000);
  EXPECT_TRUE(HoldsFiles(left));
  const JobProfile job = Joined(left);
  EXPECT_EQ(job.run.ranks_merged, 2u);
  EXPECT_EQ(job.At(0, metric::kTimeNs).max, 6000u);
  EXPECT_EQ(job.run.repeats_s.size(), 2u);
  EXPECT_THAT(job.run.warnings,
              testing::Contains(InWords(message::kPassIsIncomplete, 1u, 2u, "auto")));
}

TEST_F(LeftPassesTest, APlaceWhoseNameSaysNothingIsLeftOut) {
  const std::string left = LeftAfterTimePass();
  Write(left + "/2/auto.json", "timer", metric::kTimeNs, 9000);
  const JobProfile job = Joined(left);
  EXPECT_THAT(job.run.repeats_s, testing::IsEmpty());
  EXPECT_THAT(job.run.warnings, testing::Contains(InWords(message::kUnknownPass, left + "/2")));
}

TEST_F(LeftPassesTest, WithoutAnExecutionForTimeOrCountsThereIsNoFile) {
  const std::string left = Left(".run.json.passes.Ab12cD");
  Write(left + "/noting.1/counting.json", "counting", test::kDpScalarAdd, 7);
  EXPECT_EQ(JoinLeftPasses(left).error(), left + ": " + InWords(message::kNoPassesToRecover));
}

// What `roofmark run` names its executions, `roofmark recover` understands.
TEST_F(LeftPassesTest, KindsOfExecutionsAreKnownByTheirPlaces) {
  const Result<PassDirectory> passes = PassDirectory::Beside(directory_.File("b.json"));
  ASSERT_TRUE(passes);
  for (const PassKind kind : {PassKind::kTime, PassKind::kCounters, PassKind::kTurns,
                              PassKind::kNoting, PassKind::kPlaces}) {
    const Result<std::string> place = passes->Inside(kind, 2);
    ASSERT_TRUE(place) << place.error();
    EXPECT_EQ(PassDirectory::KindOf(*place), kind);
    fs::remove(*place);
  }
}

TEST_F(LeftPassesTest, WhatCannotBeReadIsNamed) {
  const std::string left = Left(".run.json.passes.Ab12cD");
  ASSERT_TRUE(WriteFile(left + "/auto.json", "{", IfExists::kRefuse));
  EXPECT_THAT(JoinLeftPasses(left).error(), testing::HasSubstr("auto.json"));
}

TEST_F(LeftPassesTest, OnlyDirectoriesWithFilesAreMeant) {
  const std::string none = Left(".none.json.passes.Ab12cD"), other = Left("spools");
  Write(other + "/auto.json", "timer", metric::kTimeNs, 5000);
  EXPECT_EQ(*FindLeftPasses({none, other}), std::nullopt);
  const std::string a = Left(".a.json.passes.Ab12cD"), b = Left(".b.json.passes.Ab12cD");
  Write(a + "/auto.json", "timer", metric::kTimeNs, 5000);
  EXPECT_EQ(*FindLeftPasses({none, a}), a);
  Write(b + "/auto.json", "timer", metric::kTimeNs, 5000);
  EXPECT_EQ(FindLeftPasses({a, b}).error(), InWords(message::kSeveralLeftPasses, a + ", " + b));
}

TEST_F(LeftPassesTest, ThoseOfARunningCommandAreNotLeft) {
  const std::string left = Left(".a.json.passes.Ab12cD");
  Result<PassDirectory> running = PassDirectory::Beside(directory_.File("b.json"));
  ASSERT_TRUE(running);
  EXPECT_THAT(PassDirectory::LeftIn(directory_.path()), testing::ElementsAre(left));
  EXPECT_TRUE(PassDirectory::IsInUse(running->path()));
  EXPECT_FALSE(PassDirectory::IsInUse(left));
}

}  // namespace
}  // namespace roofmark::cli
