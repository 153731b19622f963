// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run --auto: a roofline of a program without markers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/messages/recording.h"
#include "lib/profile/whole.h"
#include "tests/support/chance.h"
#include "tests/support/found_samples.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kIterations = 10'000'000;  // of unmarked's shorter loop

class RunAuto : public ::testing::Test {
 protected:
  Ended Run(std::vector<std::string> options, std::vector<std::string> program = {UNMARKED}) {
    std::vector<std::string> command = {ROOFMARK,   "run",     "-o",
                                        "run.json", "--force", "--no-machine"};
    command.insert(command.end(), options.begin(), options.end());
    command.emplace_back("--");
    command.insert(command.end(), program.begin(), program.end());
    return test::Run(command, {{"LC_ALL", "C.UTF-8"}}, directory_.path());
  }
  JobProfile RunAndRead(const std::vector<std::string>& options,
                        const std::vector<std::string>& program = {UNMARKED}) {
    const Ended ended = Run(options, program);
    EXPECT_EQ(ended.status, 0) << ended.err;
    said_ = ended.err;
    shown_ = ended.out;
    return test::ReadRoofline(directory_.File("run.json")).job;
  }
  // The first path that ends so; the test ends without one.
  static size_t RowOf(const JobProfile& job, const std::string& ending) {
    const auto found = std::find_if(
        job.paths.begin(), job.paths.end(),
        [&ending](const PathInfo& info) { return std::string_view(info.path).ends_with(ending); });
    EXPECT_NE(found, job.paths.end()) << ending;
    return found == job.paths.end() ? 0 : static_cast<size_t>(found - job.paths.begin());
  }

  test::TempDir directory_;
  std::string said_, shown_;
};

// Some kernels and containers allow no samples at all.
#define ROOFMARK_RUN_OR_SKIP(job, ...)                       \
  const JobProfile job = RunAndRead(__VA_ARGS__);            \
  if (said_.find("left no samples") != std::string::npos) {  \
    GTEST_SKIP() << "this machine takes no samples of time"; \
  }

TEST_F(RunAuto, AnInterruptedProgramHasItsTimeAndTheReasonForNoLoops) {
  const Ended ended =
      Run({"--auto", "--no-report"},
          {"/bin/sh", "-c", "(LD_PRELOAD= sleep 1; kill -TERM $PPID) & exec sleep 100"});
  EXPECT_EQ(ended.status, 128 + 15) << ended.err;
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  ASSERT_EQ(job.run.passes.size(), 1u);
  // It has taken no slow way since it began.
  EXPECT_GT(job.run.passes[0].wall_s, 0.5);
  const auto reason = job.run.passes[0].facts.find(kFoundFact);
  ASSERT_NE(reason, job.run.passes[0].facts.end());
  EXPECT_THAT(reason->second, HasSubstr("was interrupted"));
}

// A program before it has ended and left its file.
TEST_F(RunAuto, AProgramThatIsInterruptedAfterAnotherIsNamedAndHasItsTime) {
  const Ended ended =
      Run({"--auto", "--no-report", "--program", "unmarked"},
          {"/bin/sh", "-c", "\"$0\"; (LD_PRELOAD= sleep 1; kill -TERM $PPID) & exec sleep 100",
           UNMARKED});
  EXPECT_THAT(ended.err, test::Says(message::kCutShort, "sleep 100", testing::_));
  EXPECT_THAT(ended.err,
              test::Says(message::kProgramsOfCommand, 2u, UNMARKED, "run.2.json (sleep 100)"));
  const JobProfile first = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_THAT(first.run.warnings, Contains("the command was interrupted in the time pass"));
  const JobProfile cut = test::ReadRoofline(directory_.File("run.2.json")).job;
  EXPECT_THAT(cut.run.warnings, Contains(test::Says(message::kCutShort, "sleep 100", testing::_)));
  ASSERT_EQ(cut.run.passes.size(), 1u);
  EXPECT_GT(cut.run.passes[0].wall_s, 0.5);
  EXPECT_THAT(cut.run.passes[0].facts.at(kFoundFact), HasSubstr("was interrupted"));
}

TEST_F(RunAuto, ShowsTheOutputOfTheFirstExecutionAlone) {
  const Ended ended = Run({"--auto", "--no-report", "--count", "flops"},
                          {"/bin/sh", "-c", "echo printed; echo said >&2; exec " UNMARKED});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("work pass"));
  EXPECT_EQ(ended.out, "printed\n");
}

TEST_F(RunAuto, LoopsOfAProgramWithoutMarkersAreRegions) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--count", "flops"});
  // That the shorter loop, with a quarter of the time, has none of so many samples by chance:
  // 4e-10.
  constexpr uint64_t kEnough = 75;
  const uint64_t samples = test::SamplesIn(job.run.passes[0].facts.at(kFoundFact));
  if (samples < kEnough) GTEST_SKIP() << "this machine takes too few samples: " << samples;
  ASSERT_GE(job.paths.size(), 2u) << said_;
  const size_t heavy = RowOf(job, "in heavy()"), light = RowOf(job, "in light()");
  for (const size_t row : {heavy, light}) {
    EXPECT_EQ(job.paths[row].kind, RegionKind::kFound);
    EXPECT_THAT(job.paths[row].file, HasSubstr("unmarked.c"));
    EXPECT_EQ(job.At(row, metric::kVisits).max, 2u);
  }
  EXPECT_EQ(job.paths[heavy].line, 8u);
  EXPECT_EQ(job.paths[light].line, 13u);
  const MetricId add = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
  EXPECT_EQ(job.At(heavy, add).max, 3 * kIterations);
  EXPECT_EQ(job.At(light, add).max, kIterations);
  const size_t around = RowOf(job, "in main()");
  EXPECT_EQ(job.At(around, add).max, 4 * kIterations) << "with what is called by jumps";
  EXPECT_EQ(job.paths[heavy].path.find(job.paths[around].path + "/"), 0u);

  const Cell &longer = job.At(heavy, metric::kTimeNs), &shorter = job.At(light, metric::kTimeNs);
  EXPECT_EQ(longer.status_bits, Bit(Status::kScaled));
  const auto of_longer = static_cast<double>(longer.max) /
                         static_cast<double>(longer.max + shorter.max) *
                         static_cast<double>(samples);
  EXPECT_TRUE(test::IsShare(static_cast<uint64_t>(std::lround(of_longer)), samples, 0.75))
      << of_longer << " of " << samples;
  const auto whole = [&job](WholeRow row) {
    return job.whole.At(static_cast<size_t>(row), metric::kTimeNs).max;
  };
  EXPECT_LE(job.At(around, metric::kTimeNs).max + whole(WholeRow::kOutside),
            whole(WholeRow::kProgram) + 100'000'000);
  EXPECT_THAT(job.run.passes[0].facts.at(kFoundFact), HasSubstr("are estimated from"));
  EXPECT_THAT(said_, test::Says(message::kRegionsFound, testing::_, testing::_));
  if (said_.find("time pass once more") != std::string::npos) {
    EXPECT_THAT(job.run.passes[0].facts.at(kFoundFact),
                HasSubstr("executed as often in another execution"));
  }
  EXPECT_THAT(said_, Not(HasSubstr("ROOF_REGION_BEGIN"))) << "markers are not needed";
  for (const std::string& warning : job.run.warnings) {
    EXPECT_THAT(warning, Not(HasSubstr("only in the work pass")));
  }
  EXPECT_THAT(shown_, HasSubstr("in heavy()"));
}

// By SIGKILL, when the work pass has ended.
TEST_F(RunAuto, AKilledOneIsRecoveredWithTheTimesOfItsLoops) {
  const char* const script = "\"$0\" 20000; if [ -n \"$ROOFMARK_NESTS\" ]; then kill -9 $PPID; fi";
  const Ended killed = Run({"--auto", "--count", "flops", "--program", "unmarked"},
                           {"/bin/sh", "-c", script, UNMARKED});
  if (killed.err.find("left no samples") != std::string::npos) {
    GTEST_SKIP() << "this machine takes no samples of time";
  }
  ASSERT_THAT(killed.err, test::Says(message::kRegionsFound, testing::_, testing::_));
  const Ended ended = test::Run({ROOFMARK, "recover", "-o", "left.json"}, {}, directory_.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = test::ReadRoofline(directory_.File("left.json")).job;
  EXPECT_THAT(job.run.passes[0].facts.at(kFoundFact), HasSubstr("are estimated from"));
  const Cell& time = job.At(RowOf(job, "in heavy()"), metric::kTimeNs);
  EXPECT_EQ(time.status_bits, Bit(Status::kScaled));
  EXPECT_GT(time.max, 0u);
}

TEST_F(RunAuto, FunctionsOnly) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--functions", "--count", "flops"});
  EXPECT_EQ(job.paths[RowOf(job, "heavy()")].path, "main()/three()/heavy()");
}

constexpr uint32_t kRowLoop = 7, kColumnLoop = 8;  // lines of nested.c

std::vector<uint32_t> LinesIn(const JobProfile& job, const std::string& function) {
  std::vector<uint32_t> lines;
  for (const PathInfo& info : job.paths) {
    if (std::string_view(info.path).ends_with(" in " + function)) lines.push_back(info.line);
  }
  return lines;
}

TEST_F(RunAuto, ALoopInALoopIsARegionInARegion) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--count", "flops"}, {NESTED, "2000", "10000"});
  EXPECT_THAT(LinesIn(job, "sweep()"), UnorderedElementsAre(kRowLoop, kColumnLoop)) << said_;
}

TEST_F(RunAuto, WithDepthOneTheOuterOneHasAll) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--depth", "1", "--count", "flops"},
                       {NESTED, "2000", "10000"});
  EXPECT_THAT(LinesIn(job, "sweep()"), ElementsAre(kRowLoop)) << said_;
  const size_t row = RowOf(job, "in sweep()");
  EXPECT_EQ(job.At(row, metric::kVisits).max, 1u);
  const MetricId add = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
  EXPECT_EQ(job.At(row, add).max, 2000u * 10'001);
}

// Each entry takes tens of nanoseconds.
TEST_F(RunAuto, LoopsThatAreEnteredTooOftenBelongToThoseAround) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--count", "flops"}, {NESTED, "4000000", "5"});
  EXPECT_THAT(LinesIn(job, "sweep()"), ElementsAre(kRowLoop)) << said_;
}

// As one whose work depends on the time, which the counting engine stretches.
TEST_F(RunAuto, CountsOfAProgramThatDoesLessWhenItIsCountedAreThoseOfTheTimedExecution) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--count", "flops"}, {OTHER_WORK, "steps"});
  constexpr uint64_t kStep = 200'000;  // iterations
  std::vector<uint64_t> steps;         // of each execution
  std::istringstream file(*ReadFile(directory_.File("steps")));
  for (uint64_t one = 0; file >> one;) steps.push_back(one);
  const size_t row = RowOf(job, "in step()"), once = RowOf(job, "in prepare()");
  const MetricId add = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
  const Cell &flops = job.At(row, add), &prepared = job.At(once, add);
  if (said_.find("time pass once more") == std::string::npos) {
    GTEST_SKIP() << "this machine has no breakpoints";
  }
  ASSERT_EQ(steps.size(), 4u) << said_;
  ASSERT_NE(steps[2], steps[3]);
  EXPECT_EQ(flops.max, steps[3] * kStep);
  EXPECT_EQ(Worst(flops.status_bits), Status::kScaled);
  EXPECT_EQ(job.At(row, metric::kVisits).max, steps[3]);
  EXPECT_EQ(prepared.max, 100 * kStep);
  EXPECT_EQ(Worst(prepared.status_bits), Status::kMeasured) << "it was counted, too";
  EXPECT_THAT(job.run.warnings, Contains(HasSubstr("is scaled to the time pass")));
}

TEST_F(RunAuto, WhatTheNativeEngineDoesNotFollowValgrindsCounts) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--count", "flops"}, {NOT_FOLLOWED, "100000000"});
  const std::map<std::string, std::string>& facts = job.run.passes.at(1).facts;
  ASSERT_EQ(facts.at("engine"), "valgrind");
  EXPECT_EQ(facts.count("incomplete"), 0u);
  const size_t row = RowOf(job, "in light()");
  const MetricId add = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
  EXPECT_EQ(job.At(row, add).max, 100'000'000u);
  if (said_.find("cannot be loaded") != std::string::npos || !HAS_NATIVE) {
    GTEST_SKIP() << "the native engine does not run here: " << said_;
  }
  EXPECT_THAT(said_, AllOf(test::Says(message::kNotFollowedNatively, testing::_, testing::_),
                           HasSubstr("made at run time")));
}

TEST_F(RunAuto, CachesAreModelledInBurstsUnlessAllShallBeExact) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto"});
  const std::map<std::string, std::string>& facts = job.run.passes.at(1).facts;
  if (facts.at("engine") != "native") GTEST_SKIP() << "the native engine does not run here";
  EXPECT_EQ(facts.at("line_sampling"), "16");
  EXPECT_THAT(facts.at("sampled"), HasSubstr("in bursts"));
  const JobProfile exact = RunAndRead({"--auto", "--exact"});
  const std::map<std::string, std::string>& exact_facts = exact.run.passes.at(1).facts;
  EXPECT_EQ(exact_facts.at("line_sampling"), "1");
  EXPECT_EQ(exact_facts.count("sampled"), 0u);
  const MetricId add = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
  const size_t heavy = RowOf(job, "in heavy()");
  EXPECT_EQ(job.At(heavy, add).max, exact.At(RowOf(exact, "in heavy()"), add).max);
}

TEST_F(RunAuto, AThreadThatHasNothingToDoIsNoWork) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--count", "flops"}, {IDLE_THREAD});
  const size_t work = RowOf(job, "in work()");
  EXPECT_GT(job.At(work, metric::kTimeNs).max, 0u);
  for (const PathInfo& info : job.paths) EXPECT_THAT(info.path, Not(HasSubstr("sched_yield")));
}

TEST_F(RunAuto, AProgramThatTakesNoTimeHasNoRegionsAndSaysSo) {
  const Ended ended = Run({"--auto", "--count", "flops"}, {UNMARKED, "0"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, AllOf(testing::AnyOf(test::Says(message::kTimePassHasNoSamples),
                                              test::Says(message::kNothingTakesOnePercent)),
                               Not(test::Says(message::kNoRegionEntered))));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("No loop or function was found"),
                               HasSubstr("The program took too little CPU time"),
                               HasSubstr("(program)"), Not(HasSubstr("ROOF_REGION_BEGIN"))));
}

TEST_F(RunAuto, AnEngineThatDoesNotRunIsNoProgramOfManySmallFunctions) {
  const Ended ended =
      test::Run({ROOFMARK, "run", "--auto", "--engine", "valgrind", "-o", "run.json",
                 "--no-machine", "--count", "flops", "--", UNMARKED, "3000"},
                {{"ROOFMARK_TOOL_DIR", directory_.path()}}, directory_.path());
  if (ended.err.find("left no samples") != std::string::npos) {
    GTEST_SKIP() << "this machine takes no samples of time";
  }
  EXPECT_THAT(ended.err, AllOf(test::Says(message::kNoCodeNoted),
                               Not(test::Says(message::kNothingTakesOnePercent))));
  EXPECT_THAT(ended.out, HasSubstr("The counting engine noted no executed code"));
}

// Each of many functions takes next to nothing.
TEST_F(RunAuto, WhereNothingTakesOnePercentTheProgramHasItsDot) {
  ROOFMARK_RUN_OR_SKIP(job, {"--auto", "--count", "flops"}, {SCATTERED, "2000"});
  // That one of two thousand functions has 1 % of so many samples by chance: 1e-11.
  constexpr uint64_t kEnough = 1500;
  const std::string& found = job.run.passes[0].facts.at(kFoundFact);
  if (test::SamplesIn(found) < kEnough)
    GTEST_SKIP() << "this machine takes too few samples: " << found;
  EXPECT_THAT(said_, test::Says(message::kNothingTakesOnePercent));
  EXPECT_TRUE(job.paths.empty());
  const MetricId divisions = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kDiv);
  EXPECT_EQ(job.whole.At(static_cast<size_t>(WholeRow::kProgram), divisions).max,
            2000u * 2000 * 100);
  EXPECT_THAT(found, HasSubstr("No loop and no function takes 1 %"));
  EXPECT_THAT(shown_, AllOf(HasSubstr("No loop and no function takes 1 %"), HasSubstr("(program)"),
                            Not(HasSubstr("ROOF_REGION_BEGIN"))));
}

// What counts executions may be why: no other execution needs it.
TEST_F(RunAuto, AnExecutionThatFailsWhereExecutionsAreCountedIsDoneWithout) {
  const Ended ended =
      Run({"--auto", "--count", "flops"},
          {"sh", "-c", "test -z \"$ROOFMARK_PLACES\" || kill -TRAP $$; exec " UNMARKED " 3000"});
  if (ended.err.find("time pass once more") == std::string::npos) {
    GTEST_SKIP() << "this machine has no breakpoints";
  }
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("sh ended with status 133 (128 + SIGTRAP)"),
                               test::Says(message::kPlacesNotCounted,
                                          "the program ended otherwise where they were counted"),
                               Not(HasSubstr("No work pass follows"))));
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_GT(job.At(RowOf(job, "in heavy()"), metric::kFlops).max, 0u);
}

// The third execution would take longest.
TEST_F(RunAuto, NothingFollowsAnExecutionThatFails) {
  const Ended ended =
      Run({"--auto", "--count", "flops"},
          {"sh", "-c", "test -z \"$ROOFMARK_EXECUTED\" || exit 3; exec " UNMARKED " 3000"});
  if (ended.err.find("left no samples") != std::string::npos) {
    GTEST_SKIP() << "this machine takes no samples of time";
  }
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.err, HasSubstr("sh ended with status 3"));
  EXPECT_THAT(ended.err, Not(HasSubstr("work pass under the counting engine")));
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_THAT(job.sources[metric::kFlops].reason, HasSubstr("looks for loops ended with status 3"));
}

TEST_F(RunAuto, WhatDoesNotGoTogetherIsNamed) {
  const auto error = [this](const std::vector<std::string>& options) {
    const Ended ended = Run(options);
    EXPECT_EQ(ended.status, 2);
    return ended.err;
  };
  EXPECT_THAT(error({"--auto", "--work", "never"}), HasSubstr("--auto needs both passes"));
  EXPECT_THAT(error({"--auto", "--collector", "counting"}), HasSubstr("--auto needs both passes"));
  EXPECT_THAT(error({"--auto", "--collector", "timer"}), HasSubstr("--auto needs both passes"));
  EXPECT_THAT(error({"--auto", "--repeat", "2"}), HasSubstr("leave out --repeat"));
  EXPECT_THAT(error({"--auto", "--groups", "all"}), HasSubstr("leave out --groups"));
  EXPECT_THAT(error({"--depth", "1"}), HasSubstr("add --auto"));
  EXPECT_THAT(error({"--functions"}), HasSubstr("add --auto"));
  EXPECT_THAT(error({"--exact"}), HasSubstr("add --auto"));
  EXPECT_THAT(error({"--auto", "--exact", "--visits", "first:3"}), HasSubstr("leave out --visits"));
}

}  // namespace
}  // namespace roofmark
