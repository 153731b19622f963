// SPDX-License-Identifier: BSD-3-Clause
//
// Marked programs are run and their roofline files read: what a user gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/clock.h"
#include "lib/core/messages/recording.h"
#include "tests/support/clocks.h"
#include "tests/support/recording.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using test::Says;
using testing::_;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Markers : public Recording {
 protected:
  // Runs with recording on and reads the file.
  JobProfile Record(const std::vector<std::string>& command, Environment environment = {}) {
    environment.try_emplace("ROOFMARK_COLLECTOR", "timer");
    return RunAndRead(command, environment);
  }

  double WallNs(const JobProfile& job) { return job.run.passes.at(0).wall_s * 1e9; }

  std::vector<std::string> Paths(const JobProfile& job) {
    std::vector<std::string> paths;
    for (const PathInfo& info : job.paths) paths.push_back(info.path);
    return paths;
  }
};

TEST_F(Markers, OffLeavesNoTrace) {
  const Ended ended = test::Run({MARKED, "nested"}, {}, directory_.path());
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "done\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(test::ListFiles(directory_.path()), IsEmpty());
  EXPECT_EQ(test::Run({MARKED, "active"}, {}).out, "active 0\n");
  EXPECT_EQ(test::Run({MARKED, "active"}, {{"ROOFMARK", "off"}}).out, "active 0\n");
  EXPECT_EQ(
      test::Run({MARKED, "active"}, {{"ROOFMARK", "on"}, {"ROOFMARK_OUTPUT", "/dev/null"}}).out,
      "active 1\n");
}

TEST_F(Markers, NestingTimesAndDeclaredWork) {
  const JobProfile job = Record({MARKED, "nested"});
  EXPECT_THAT(Paths(job), ElementsAre("outer", "outer/inner", "outer/with\\/slash"));
  EXPECT_EQ(Value(job, "outer", metric::kVisits), 3u);
  EXPECT_EQ(Value(job, "outer/inner", metric::kVisits), 12u);
  EXPECT_EQ(Value(job, "outer/inner", metric::kDeclaredFlops), 1200u);
  EXPECT_EQ(Value(job, "outer", metric::kDeclaredFlops), 1200u) << "inclusive";
  EXPECT_EQ(Value(job, "outer/inner", metric::kDeclaredBytes), 9600u);
  EXPECT_EQ(Value(job, "outer/inner", metric::kDeclaredOperations), 84u);
  EXPECT_EQ(Value(job, "outer", metric::kDeclaredOperations), 84u) << "inclusive";
  EXPECT_EQ(job.paths[1].operation, "updates");
  if (TicksAgree()) {
    const uint64_t inner = Value(job, "outer/inner", metric::kTimeNs);
    EXPECT_GE(inner, 12'000'000u);
    EXPECT_LE(static_cast<double>(inner), WallNs(job));
    EXPECT_GE(Value(job, "outer", metric::kTimeNs), inner);
  }
  const PathInfo& info = job.paths[0];
  EXPECT_THAT(info.file, HasSubstr("marked.c"));
  EXPECT_GT(info.line, 0u);
  EXPECT_EQ(info.kind, RegionKind::kTeam);
}

TEST_F(Markers, RecursionCountsTimeOnce) {
  if (!TicksAgree()) GTEST_SKIP() << kTicksDisagree;
  const JobProfile job = Record({MARKED, "recurse"});
  EXPECT_THAT(Paths(job), ElementsAre("recursive", "recursive/between"));
  EXPECT_EQ(Value(job, "recursive", metric::kVisits), 5u);
  EXPECT_EQ(Value(job, "recursive/between", metric::kVisits), 4u);
  const auto time = static_cast<double>(Value(job, "recursive", metric::kTimeNs));
  EXPECT_GE(time, 50e6);
  EXPECT_LE(time, WallNs(job)) << "nested visits of 50 ms were added up";
}

#ifdef DISAGREE
TEST_F(Markers, ACounterThatGoesBackMakesNoTimeAndIsSaid) {
  const Ended ended = test::Run({DISAGREE}, {}, directory_.path());
  if (ended.status == 77) GTEST_SKIP() << ended.out;
  const JobProfile job = Record({DISAGREE});
  EXPECT_EQ(Value(job, "back", metric::kVisits), 10u);
  if (TicksAreNs() || !TicksAgree()) return;
  EXPECT_EQ(Value(job, "back", metric::kTimeNs), 0u);
  EXPECT_THAT(job.run.warnings, Contains(Says(message::kClocksDisagree, 10)));
}
#endif

TEST_F(Markers, NestingBeyondTheStackIsSaidAndHarmless) {
#if ROOFMARK_TEST_TSAN
  GTEST_SKIP() << "takes minutes: ThreadSanitizer keeps a stack of its own";
#endif
  const JobProfile job = Record({MARKED, "deep"});
  EXPECT_EQ(Value(job, "deep", metric::kVisits), 65535u);
  EXPECT_THAT(job.run.warnings, Contains(Says(message::kNestedTooDeep, 4465, _, _, _)));
}

TEST_F(Markers, EveryTextIsANameAndTheFileCanBeRead) {
  const JobProfile job = Record({MARKED, "odd names"});
  // NULL, blanks and nothing are one name: four times, four times inside each, and a literal.
  EXPECT_EQ(Value(job, "(unnamed)", metric::kVisits), 21u);
  EXPECT_EQ(Value(job, "a\\/b/\\/", metric::kVisits), 1u);
  EXPECT_EQ(Value(job, "\\\\xFF\\\\xFE", metric::kVisits), 2u);
  EXPECT_EQ(Value(job, "\\\\x1B[31m/line\\\\x0Abreak", metric::kVisits), 1u);
  EXPECT_EQ(job.paths.size(), 18u + 18 * 18 - 18) << "a region inside itself is no other path";
  for (const PathInfo& info : job.paths) {
    EXPECT_TRUE(IsRegionName(LeafName(info.path))) << info.path;
    EXPECT_EQ(info.operation, PathDepth(info.path) == 0 ? LeafName(info.path) : "");
  }
  EXPECT_THAT(job.run.warnings, testing::IsEmpty());
}

TEST_F(Markers, RegionsInsideTooManyOthersAreLeftOutAndHarmless) {
  const JobProfile job = Record({MARKED, "abyss"});
  EXPECT_EQ(job.paths.size(), 256u);
  for (size_t row = 0; row < job.paths.size(); ++row) {
    EXPECT_EQ(job.At(row, metric::kVisits).max, 1u) << job.paths[row].path;
  }
  EXPECT_THAT(job.run.warnings, testing::ElementsAre(Says(message::kNestedTooDeep, 47, _, _, _)));
}

TEST_F(Markers, MismatchesAreNamedAndTheRestIsRecorded) {
  const JobProfile job = Record({MARKED, "mismatched"});
  EXPECT_EQ(Value(job, "a", metric::kVisits), 1u);
  EXPECT_EQ(Value(job, "a/b", metric::kVisits), 1u);
  EXPECT_EQ(Value(job, "a/b/c", metric::kVisits), 1u);
  EXPECT_EQ(Value(job, "after", metric::kVisits), 5u);
  EXPECT_THAT(job.run.warnings,
              Contains(Says(message::kEndWithoutRegion, "never begun", _, "once")));
  EXPECT_THAT(job.run.warnings,
              Contains(testing::AllOf(Says(message::kEndClosedOthers, "b", _, "once", "c", _),
                                      HasSubstr("marked.c:"))));
  EXPECT_EQ(job.run.warnings.size(), 3u);
}

TEST_F(Markers, NamesMadeAtRunTime) {
  const JobProfile job = Record({MARKED, "named"});
  for (const char* path : {"step 0", "step 1", "step 2"}) {
    EXPECT_EQ(Value(job, path, metric::kVisits), 4u);
  }
  EXPECT_EQ(Value(job, std::string(199, 'x'), metric::kVisits), 1u);
}

TEST_F(Markers, RegionLeftOpenIsClosedAndSaid) {
  const JobProfile job = Record({MARKED, "open"});
  EXPECT_EQ(Value(job, "open", metric::kVisits), 1u);
  EXPECT_THAT(job.run.warnings, ElementsAre(Says(message::kOpenRegionClosed, "open")));
}

class Teams : public Markers, public testing::WithParamInterface<const char*> {};

TEST_P(Teams, TeamAndWorkerRegions) {
  for (int threads : {1, 2, 4}) {
    const JobProfile job = Record({GetParam(), "team", std::to_string(threads)});
    EXPECT_THAT(Paths(job), ElementsAre("team", "team/worker"));
    EXPECT_EQ(job.paths[0].kind, RegionKind::kTeam);
    EXPECT_EQ(job.paths[1].kind, RegionKind::kThread) << "with a team of " << threads;
    EXPECT_EQ(Value(job, "team", metric::kVisits), 2u);
    EXPECT_EQ(Value(job, "team/worker", metric::kVisits), 2u * threads);
    EXPECT_EQ(Value(job, "team", metric::kDeclaredFlops), 10u * threads * (threads + 1));
    EXPECT_EQ(Value(job, "team", metric::kWorkers), static_cast<uint64_t>(threads));
    if (TicksAgree()) {
      EXPECT_GE(Value(job, "team", metric::kTimeNs), Value(job, "team/worker", metric::kTimeNs));
    }
    std::remove(output_.c_str());
  }
}
const char* const kRuntimes[] = {
    MARKED,
#ifdef MARKED_LIBOMP
    MARKED_LIBOMP,
#endif
};
INSTANTIATE_TEST_SUITE_P(Runtimes, Teams, testing::ValuesIn(kRuntimes),
                         [](const auto& given) { return given.index == 0 ? "libgomp" : "libomp"; });

TEST_F(Markers, ThreadsOfAnyKindHangBelowTheTeamRegion) {
#if ROOFMARK_TEST_TSAN
  GTEST_SKIP() << "ThreadSanitizer does not know threads of C11";
#endif
  const JobProfile job = Record({MARKED, "threads"});
  EXPECT_THAT(Paths(job), ElementsAre("team", "team/posix", "team/standard"));
  EXPECT_EQ(Value(job, "team/posix", metric::kVisits), 24u);
  EXPECT_EQ(Value(job, "team/standard", metric::kVisits), 1u);
}

TEST_F(Markers, ScopesCloseOnEveryWayOut) {
  const JobProfile job = Record({MARKED_CPP});
  EXPECT_EQ(Value(job, "early", metric::kVisits), 10u);
  EXPECT_EQ(Value(job, "early/late", metric::kVisits), 5u);
  EXPECT_EQ(Value(job, "throws/inside", metric::kVisits), 3u);
  EXPECT_EQ(Value(job, "team/work", metric::kVisits), 2u);
  EXPECT_THAT(job.run.warnings, IsEmpty());
}

TEST_F(Markers, Fortran) {
#ifdef MARKED_FORTRAN
  const JobProfile job = Record({MARKED_FORTRAN});
  EXPECT_EQ(Value(job, "outer", metric::kVisits), 5u);
  EXPECT_EQ(Value(job, "outer/inner", metric::kDeclaredFlops), 60u) << "all kinds";
  EXPECT_EQ(Value(job, "outer/inner", metric::kDeclaredBytes), 550u)
      << "a negative one counts as 0";
  EXPECT_EQ(Value(job, "outer/inner", metric::kDeclaredOperations), 50u) << "all kinds";
  EXPECT_EQ(job.paths[static_cast<size_t>(job.FindPath("outer"))].operation, "updates");
  EXPECT_EQ(Value(job, "step 0", metric::kVisits), 3u);
  EXPECT_EQ(Value(job, "step 1", metric::kVisits), 3u);
  EXPECT_EQ(Value(job, "team", metric::kVisits), 1u);
  EXPECT_EQ(Value(job, "team/worker", metric::kVisits), 2u);
  EXPECT_THAT(job.run.warnings, IsEmpty());
#else
  GTEST_SKIP() << "no Fortran compiler was found";
#endif
}

TEST_F(Markers, CompiledOutTheyNeedNoLibrary) {
  EXPECT_EQ(test::Run({MARKED_DISABLED}, {{"ROOFMARK", "on"}}, directory_.path()).status, 0);
  EXPECT_THAT(test::ListFiles(directory_.path()), IsEmpty());
}

TEST_F(Markers, WhereRecordingIsOffNothingAsksTheKernelOrReadsCounters) {
  if (ROOFMARK_TEST_SANITIZED) GTEST_SKIP() << "the sanitizer's library makes system calls";
  for (const Environment& environment : {Environment{}, Environment{{"ROOFMARK", "off"}}}) {
    const Ended ended = test::Run({OFF}, environment);
    if (ended.status == 77) GTEST_SKIP() << "this kernel lets nobody forbid system calls";
    EXPECT_EQ(ended.status, 0) << ended.err;
  }
  EXPECT_NE(test::Run({OFF, "one call"}, {}).status, 0) << "the kernel ends what does";
}

TEST_F(Markers, ForkedChildLeavesTheParentsDataAlone) {
  const JobProfile job = Record({MARKED, "fork"});
  EXPECT_THAT(Paths(job), ElementsAre("parent"));
  EXPECT_EQ(Value(job, "parent", metric::kVisits), 1u);
  EXPECT_EQ(test::ListFiles(directory_.path()).size(), 1u);
  EXPECT_THAT(job.run.warnings,
              testing::Contains(InWords(message::kRegionsInChildren, 1u, "process", "child")));
}

TEST_F(Markers, RegionsInForkedChildrenAreNamedWhereThereAreNoOthers) {
  const Ended ended =
      test::Run({MARKED, "forkall"}, {{"ROOFMARK", "on"}, {"ROOFMARK_OUTPUT", output_}});
  EXPECT_THAT(ended.err, Says(message::kRegionsInChildren, 4u, "processes", "child"));
  EXPECT_THAT(ended.err, Not(Says(message::kNoRegionEntered)));
}

TEST_F(Markers, LibraryWithMarkersMayBeClosed) {
  const JobProfile job = Record({CLOSES_PLUGIN, PLUGIN});
  EXPECT_EQ(Value(job, "main/plugin", metric::kVisits), 3u);
  EXPECT_THAT(job.paths[1].file, HasSubstr("plugin.c"));
}

TEST_F(Markers, SampledVisitsAreScaledAndMarked) {
  for (const auto& [policy, measured] : {std::pair{"every:10", 10u}, std::pair{"first:5", 5u}}) {
    std::remove(output_.c_str());
    const JobProfile job = Record({MARKED, "many"}, {{"ROOFMARK_VISITS", policy}});
    EXPECT_EQ(Value(job, "many", metric::kVisits), 100u);
    EXPECT_EQ(Value(job, "many", metric::kTimedVisits), measured);
    EXPECT_EQ(job.sources[metric::kTimeNs].status, Status::kScaled);
    if (TicksAgree()) {
      EXPECT_GT(Value(job, "many", metric::kTimeNs), 100'000'000u) << "a hundred visits of 1 ms";
    }
  }
}

#ifdef LASTING
// Each visit is 10 us longer than the one before: the time says which of them were measured.
TEST_F(Markers, TheTimeOfSampledVisitsIsScaledToAll) {
  constexpr uint64_t kFirst = 1'000'000, kLonger = 10'000;
  for (const auto& [policy, mean] :
       {std::pair{"all", kFirst + 99 * kLonger / 2}, std::pair{"every:10", kFirst + 45 * kLonger},
        std::pair{"first:5", kFirst + 2 * kLonger}}) {
    std::remove(output_.c_str());
    const JobProfile job = Record({LASTING}, {{"ROOFMARK_VISITS", policy}});
    EXPECT_EQ(Value(job, "lasting", metric::kTimeNs), 100 * mean) << policy;
  }
}
#endif

TEST_F(Markers, NothingIsRecordedWhilePausedAndOpenVisitsAreMarked) {
  for (const char* visits : {"all", "every:1"}) {  // by the fast path, and without it
    std::remove(output_.c_str());
    const JobProfile job = Record({MARKED, "pauses"}, {{"ROOFMARK_VISITS", visits}});
    EXPECT_THAT(Paths(job),
                ElementsAre("open", "open/ends in the pause", "open/ends in the pause/on thread",
                            "open/visited", "visited"));
    EXPECT_EQ(Value(job, "visited", metric::kVisits), 3u + 5u);
    EXPECT_EQ(Value(job, "visited", metric::kDeclaredFlops), 8u);
    EXPECT_EQ(Value(job, "visited", metric::kDeclaredOperations), 8u);
    EXPECT_EQ(Value(job, "open/visited", metric::kVisits), 7u + 10u);
    EXPECT_EQ(Value(job, "open", metric::kVisits), 1u);
    EXPECT_EQ(Value(job, "open", metric::kDeclaredFlops), 17u);
    EXPECT_GE(Value(job, "open", metric::kTimeNs), 20'000'000u) << "the pause is in its time";
    EXPECT_EQ(Value(job, "open", metric::kPauses), 1u) << "a nested pause is none of its own";
    EXPECT_EQ(Value(job, "open/ends in the pause", metric::kPauses), 1u);
    EXPECT_EQ(Value(job, "open/ends in the pause/on thread", metric::kPauses), 1u);
    EXPECT_EQ(job.At(static_cast<size_t>(job.FindPath("visited")), metric::kPauses).ranks, 0u);
    EXPECT_THAT(job.run.warnings, IsEmpty());
  }
}

TEST_F(Markers, ExistingOutputIsKept) {
  Record({MARKED, "nested"});
  Record({MARKED, "named"});
  EXPECT_THAT(test::ListFiles(directory_.path()),
              testing::UnorderedElementsAre("run.json", "run.1.json"));
  EXPECT_THAT(ended_.err, HasSubstr("roofmark: " + output_ + " exists already and was kept\n"));
  EXPECT_THAT(ended_.err, HasSubstr("roofmark: wrote " + directory_.File("run.1.json") + "\n"));
  EXPECT_EQ(Value(test::ReadRoofline(directory_.File("run.1.json")).job, "step 0", metric::kVisits),
            4u);
}

TEST_F(Markers, UnwritableOutputIsSaidAndTheProfileIsSaved) {
  const Ended ended =
      test::Run({MARKED, "nested"}, {{"ROOFMARK_OUTPUT", "/nowhere/roofmark-test-%p.json"}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err,
              testing::ContainsRegex("roofmark: cannot write /nowhere/roofmark-test-[0-9]+.json: "
                                     "No such file or directory.*\nroofmark: "
                                     "wrote /tmp/roofmark-test-[0-9]+.json\n"));
  EXPECT_THAT(ended.err, Says(message::kNotWritten, _));
  const std::string saved = ended.err.substr(ended.err.find("/tmp/"));
  const std::string name = saved.substr(0, saved.find('\n'));
  EXPECT_EQ(Value(test::ReadRoofline(name).job, "outer", metric::kVisits), 3u);
  std::remove(name.c_str());
}

TEST_F(Markers, ProgramWithoutMarkersIsTold) {
  const Ended ended = test::Run({MARKED}, {{"ROOFMARK", "on"}, {"ROOFMARK_OUTPUT", output_}});
  EXPECT_THAT(ended.err, HasSubstr(test::LineOf(message::kNoRegionEntered)));
}

TEST_F(Markers, BadSettingsAreNamedAndStrictEndsTheProgram) {
  Environment environment = {{"ROOFMARK_OUTPUT", output_}, {"ROOFMARK_COLECTOR", "timer"}};
  const Ended lenient = test::Run({MARKED, "nested"}, environment);
  EXPECT_EQ(lenient.status, 0);
  EXPECT_THAT(lenient.err,
              HasSubstr("roofmark: ROOFMARK_COLECTOR is not a setting of roofmark and is "
                        "ignored; did you mean ROOFMARK_COLLECTOR?\n"));
  EXPECT_THAT(test::ReadRoofline(output_).job.run.warnings,
              Contains(HasSubstr("ROOFMARK_COLECTOR")));
  environment["ROOFMARK_STRICT"] = "1";
  const Ended strict = test::Run({MARKED, "nested"}, environment);
  EXPECT_EQ(strict.status, 2);
  EXPECT_EQ(strict.out, "") << "main was reached";
}

TEST_F(Markers, NamesOfOutputsAreExpanded) {
  const Ended ended =
      test::Run({MARKED, "nested"},
                {{"ROOFMARK_OUTPUT", directory_.File("%r-%j-%%.json")}, {"SLURM_JOB_ID", "4711"}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("0-4711-%.json"));
}

}  // namespace
}  // namespace roofmark::test
