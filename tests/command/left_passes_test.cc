// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/left_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "command/pass_directory.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
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
    JobProfile job = roofmark::test::EmptyJob(1);
    roofmark::test::AddPass(job, collector, 1);
    const size_t step = AddPath(job, "step");
    Set(job, step, metric::kVisits, {10}, collector);
    Set(job, step, metric, {value}, collector);
    ASSERT_TRUE(WriteFile(path, RooflineToJson({job, {}}), IfExists::kRefuse));
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
  const std::string left = Left(".run.json.passes.Ab12cD");
  fs::create_directory(left + "/2");
  Write(left + "/auto.json", "timer", metric::kTimeNs, 5000);
  Write(left + "/2/auto.json", "timer", metric::kTimeNs, 5000);
  const Result<RooflineFile> file = JoinLeftPasses(left);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->job.run.repeats_s.size(), 2u);
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
