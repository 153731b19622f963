// SPDX-License-Identifier: BSD-3-Clause
//
// From a program without regions to regions of its loops: executed code, `roofmark nests`, counts.
#include "lib/core/messages/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "lib/core/file.h"
#include "tests/support/recording.h"
#include "tests/support/says.h"

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

TEST_F(NestsCommand, WhereNothingTakesAsMuchNoFileIsWritten) {
  Count({{"ROOFMARK_EXECUTED", "on"}});
  const std::vector<std::string> all = {"run.executed0.json", "--least", "100", "--depth", "1"};
  const Ended shown = Nests(all);
  EXPECT_EQ(shown.status, 0) << shown.err;
  std::vector<std::string> to_file = all;
  to_file.insert(to_file.end(), {"-o", "nests.json"});
  const Ended ended = Nests(to_file);
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, test::Says(message::kNestsNotWritten, 100.0, "nests.json"));
  EXPECT_FALSE(ReadFile(directory_.File("nests.json")));
}

TEST_F(NestsCommand, FunctionsOnly) {
  Count({{"ROOFMARK_EXECUTED", "on"}});
  const Ended shown = Nests({"run.executed0.json", "--functions", "-o", "nests.json"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("  Add()\n"));
  EXPECT_EQ(shown.out.find("working.c:"), std::string::npos) << shown.out;
}

#ifdef INLINED
class InlinedFunctions : public NestsCommand {
 protected:
  // Twice: what was found in the first execution are regions in the second.
  JobProfile Find(const std::vector<std::string>& program) {
    RunToCount(program, {{"ROOFMARK_EXECUTED", "on"}});
    const Ended shown = Nests({"run.executed0.json", "--functions", "-o", "nests.json"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    shown_ = shown.out;
    std::remove(output_.c_str());
    return RunToCount(program, {{"ROOFMARK_NESTS", directory_.File("nests.json")}});
  }
  // Of copies.c: 11 regions in each of 20 steps; of these 5 once, 5 twice, and 1 twenty times.
  void ExpectVisitsOfCopies(const JobProfile& job) const {
    constexpr uint64_t kSteps = 20, kEnergies = 5 * 1 + 5 * 2 + 20;
    const auto expect = [&](const std::string& path, uint64_t visits) {
      const int row = RowOf(job, path);
      ASSERT_GE(row, 0);
      EXPECT_EQ(job.At(static_cast<size_t>(row), metric::kVisits).Sum(), visits) << path;
    };
    expect("main()/region()", kSteps * 11);
    expect("main()/region()/energy()", kSteps * kEnergies);
    expect("main()/region()/energy()/pressure()", kSteps * kEnergies * 3);
  }
  int RowOf(const JobProfile& job, const std::string& path) const {
    const int row = job.FindPath(path);
    EXPECT_GE(row, 0) << path << " is not there:\n" << shown_;
    return row;
  }

 private:
  JobProfile RunToCount(const std::vector<std::string>& program, Environment environment) {
    environment["ROOFMARK_COLLECTOR"] = "counting";
    environment["ROOFMARK_COUNT"] = "flops";
    environment["OMP_NUM_THREADS"] = "1";  // where the program does not say
    return RunAndRead(program, environment);
  }
  std::string shown_;
};

// See inlined.c: its functions have no code of their own but for the body of the construct.
TEST_F(InlinedFunctions, AreRegions) {
  const JobProfile job = Find({INLINED, "2"});
  constexpr uint64_t kTimes = 6, kThreads = 2, kHelper = 100 + kThreads * 1000 + 20;
  const auto expect = [&](const std::string& path, uint64_t visits, uint64_t flops) {
    const int row = RowOf(job, path);
    ASSERT_GE(row, 0);
    const auto at = static_cast<size_t>(row);
    EXPECT_EQ(job.At(at, metric::kVisits).Sum(), visits) << path;
    EXPECT_EQ(job.At(at, FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd)).Sum(),
              flops)
        << path;
  };
  expect("main()/middle()", kTimes, kTimes * (3000 + 2 * kHelper));
  expect("main()/middle()/helper()", 2 * kTimes, 2 * kTimes * kHelper);
  expect("main()/helper()", kTimes, kTimes * kHelper);
  expect("main()/recur()", kTimes, kTimes * 4 * 401);
  EXPECT_EQ(job.FindPath("helper()"), -1) << "threads that work in a construct are in it, too";
}

TEST_F(InlinedFunctions, AreVisitedAsOftenAsTheyAreCalledWhateverCopiesThereAre) {
  ExpectVisitsOfCopies(Find({COPIES}));
}

// See caller.c: the loop is found by what the library does for it, and has its FLOPs.
TEST_F(NestsCommand, ALoopThatCallsALibraryIsFound) {
  constexpr uint64_t kRounds = 20, kFlopsOfRound = 2 * 10'000 + 1, kFlopsOfLoop = 1;
  const auto count = [this](Environment environment) {
    environment["ROOFMARK_COLLECTOR"] = "counting";
    environment["ROOFMARK_COUNT"] = "flops";
    return RunAndRead({CALLER}, environment);
  };
  count({{"ROOFMARK_EXECUTED", "on"}});
  const Ended shown = Nests({"run.executed0.json", "-o", "nests.json"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr(" caller.c:"));
  std::remove(output_.c_str());
  const JobProfile job = count({{"ROOFMARK_NESTS", directory_.File("nests.json")}});
  const auto loop = std::find_if(job.paths.begin(), job.paths.end(), [](const PathInfo& path) {
    return path.path.starts_with("caller.c:") && path.path.ends_with(" in main()");
  });
  ASSERT_NE(loop, job.paths.end()) << shown.out;
  const auto row = static_cast<size_t>(loop - job.paths.begin());
  EXPECT_EQ(job.At(row, metric::kVisits).Sum(), 1u);
  Sum128 flops = 0;
  for (MetricId id = 0; id < kFlopClasses; ++id) flops += job.At(row, id).Sum();
  EXPECT_TRUE(flops == kRounds * (kFlopsOfRound + kFlopsOfLoop)) << static_cast<double>(flops);
}

// Other threads execute tasks while they are in no step.
TEST_F(InlinedFunctions, TasksOfAFunctionAreItsWorkAndNoVisitsOfIt) {
  constexpr uint64_t kSteps = 30, kFlopsOfStep = 5 * (2 * 20'000 + 1);
  const JobProfile job = Find({"env", "OMP_NUM_THREADS=2", TASKS});
  uint64_t visits = 0;
  Sum128 flops = 0;
  for (size_t row = 0; row < job.paths.size(); ++row) {
    if (!std::string_view(job.paths[row].path).ends_with("step()")) continue;
    visits += static_cast<uint64_t>(job.At(row, metric::kVisits).Sum());
    for (MetricId id = 0; id < kFlopClasses; ++id) flops += job.At(row, id).Sum();
  }
  EXPECT_EQ(visits, kSteps);
  EXPECT_GE(static_cast<uint64_t>(flops), kSteps * kFlopsOfStep);
}

TEST_F(InlinedFunctions, OfProgramsWithGapsBetweenTheirPartsAreFound) {
  ExpectVisitsOfCopies(Find({COPIES_APART}));
}

#ifdef CONSTRUCTS_LLVM
// The linker maps the first page of so small a program twice.
TEST_F(InlinedFunctions, OfWhichLlvmLeavesBodiesOfConstructsAlone) {
  const JobProfile job = Find({CONSTRUCTS_LLVM});
  constexpr uint64_t kRounds = 10, kElements = 2000;
  const auto expect = [&](const std::string& path, uint64_t flops) {
    const int row = RowOf(job, path);
    ASSERT_GE(row, 0);
    const auto at = static_cast<size_t>(row);
    EXPECT_EQ(job.At(at, metric::kVisits).Sum(), kRounds) << path;
    Sum128 sum = 0;
    for (MetricId id = 0; id < kFlopClasses; ++id) sum += job.At(at, id).Sum();
    EXPECT_TRUE(sum == flops) << path;
  };
  expect("main()/scale()", kRounds * kElements * 2);
  expect("main()/lower()", kRounds * kElements);
  EXPECT_GE(RowOf(job, "main()/sum()"), 0);
  for (const PathInfo& info : job.paths) {
    EXPECT_EQ(info.path.find(".omp"), std::string::npos) << "a name that LLVM made: " << info.path;
  }
}
#endif
#endif

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
