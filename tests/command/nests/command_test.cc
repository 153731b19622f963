// SPDX-License-Identifier: BSD-3-Clause
//
// From a program without regions to regions of its loops: executed code, `roofmark nests`, counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/core/file.h"
#include "tests/support/recording.h"

namespace roofmark::test {
namespace {

using ::testing::HasSubstr;

class NestsCommand : public Recording {
 protected:
  JobProfile Count(Environment environment) {
    environment["ROOFMARK_COLLECTOR"] = "counting";
    environment["ROOFMARK_COUNT"] = "flops";
    return RunAndRead({WORKING, "led"}, environment);
  }
  Ended Nests(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ROOFMARK, "nests"});
    return test::Run(arguments, {}, directory_.path());
  }
};

// working's Add() is a loop of one addition an iteration, which Led() and main() call.
TEST_F(NestsCommand, LoopsOfExecutedCodeBecomeRegions) {
  Count({{"ROOFMARK_EXECUTED", "on"}});
  const Ended shown = Nests({"run.executed0.json", "-o", "nests.json"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("(elsewhere)"));
  EXPECT_THAT(shown.out, HasSubstr("executed instructions"));
  std::remove(output_.c_str());
  const JobProfile job = Count({{"ROOFMARK_NESTS", directory_.File("nests.json")}});
  const auto loop = std::find_if(job.paths.begin(), job.paths.end(), [](const PathInfo& path) {
    return path.path.find("working.c:") == 0 && path.path.find("Add()") != std::string::npos;
  });
  ASSERT_NE(loop, job.paths.end()) << shown.out;
  const auto row = static_cast<size_t>(loop - job.paths.begin());
  EXPECT_EQ(job.At(row, FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd)).Sum(),
            2u * (100 + 3 * 1000) + 10);
  const Result<std::string> source = ReadFile(WORKING_SOURCE);
  ASSERT_TRUE(source);
  const auto before = source->find("for (int i = 0; i < n; ++i) {");
  EXPECT_EQ(
      loop->line,
      1 + std::count(source->begin(), source->begin() + static_cast<std::ptrdiff_t>(before), '\n'));
}

TEST_F(NestsCommand, FunctionsOnly) {
  Count({{"ROOFMARK_EXECUTED", "on"}});
  const Ended shown = Nests({"run.executed0.json", "--functions", "-o", "nests.json"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("  Add()\n"));
  EXPECT_EQ(shown.out.find("working.c:"), std::string::npos) << shown.out;
}

TEST_F(NestsCommand, BadFilesAreNamed) {
  EXPECT_THAT(Nests({"missing.json"}).err, HasSubstr("missing.json"));
  ASSERT_TRUE(WriteFile(directory_.File("bad.json"), std::string("{}"), IfExists::kReplace));
  const Ended bad = Nests({"bad.json"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.err, HasSubstr("give a file that ROOFMARK_EXECUTED wrote"));
  Count({{"ROOFMARK_EXECUTED", "on"}});
  EXPECT_THAT(Nests({"run.executed0.json", "--samples", "bad.json"}).err,
              HasSubstr("give a file that ROOFMARK_SAMPLES wrote"));
}

}  // namespace
}  // namespace roofmark::test
