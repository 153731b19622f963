// SPDX-License-Identifier: BSD-3-Clause
//
// The whole way under the counting engine: markers, contexts, harvest, file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdio>

#include "lib/core/messages/collectors.h"
#include "lib/core/messages/recording.h"
#include "tests/support/recording.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;
using testing::Not;

uint64_t Flops(const JobProfile& job, const std::string& path) {
  uint64_t sum = 0;
  for (MetricId id = 0; id < kFlopClasses; ++id) {
    const int index = job.FindPath(path);
    if (index < 0) ADD_FAILURE() << "no path " << path;
    if (index >= 0) sum += static_cast<uint64_t>(job.At(static_cast<size_t>(index), id).Sum());
  }
  return sum;
}

class Counting : public Recording {
 protected:
  JobProfile Count(const std::vector<std::string>& command, Environment environment = {}) {
    environment["ROOFMARK_COLLECTOR"] = "counting";
    environment.try_emplace("ROOFMARK_CACHE", "L1:32K:8,L2:256K:8,L3:2M:16");
    std::remove(output_.c_str());
    return RunAndRead(command, environment);
  }
};

TEST_F(Counting, NestedRegionsAndOutsideWork) {
  const JobProfile job = Count({WORKING, "nested"});
  EXPECT_EQ(Flops(job, "outer"), 3u * (1000 + 4 * 2000));
  EXPECT_EQ(Flops(job, "outer/inner"), 3u * 4 * 2000);
  EXPECT_EQ(Value(job, "outer/inner", metric::kVisits), 12u);
  EXPECT_FALSE(job.run.passes[0].times_are_real);
  EXPECT_EQ(job.run.passes[0].facts.at("cache"), "L1:32K:8,L2:256K:8,L3:2048K:16");
}

// What is counted in a region that is left out belongs to the one around it, or to none.
TEST_F(Counting, RegionsThatAreLeftOut) {
  for (const char* regions : {"-inner", "-outer/inner"}) {
    const JobProfile job = Count({WORKING, "nested"}, {{"ROOFMARK_REGIONS", regions}});
    EXPECT_EQ(job.paths.size(), 1u);
    EXPECT_EQ(Flops(job, "outer"), 3u * (1000 + 4 * 2000));
  }
  for (const char* regions : {"inner", "outer/*"}) {
    const JobProfile job = Count({WORKING, "nested"}, {{"ROOFMARK_REGIONS", regions}});
    EXPECT_EQ(job.paths.size(), 1u);
    EXPECT_EQ(Flops(job, "inner"), 3u * 4 * 2000);
  }
}

// Add() loads one number and its return address; the rest are the calls of the markers.
TEST_F(Counting, MarkersAreNoWork) {
  const JobProfile job = Count({WORKING, "nested"}, {{"LD_BIND_NOW", "1"}});
  EXPECT_LE(Value(job, "outer/inner", metric::kLoadInstructions), 12u * 10);
  EXPECT_LE(Value(job, "outer/inner", metric::kStoreInstructions), 12u * 10);
  EXPECT_LE(Value(job, "outer/inner", metric::kInstructions), 12u * (2000 * 5 + 40));
}

TEST_F(Counting, AProgramMayExecuteItself) {
  // Its first program leaves a spool.
  const JobProfile job = Count({WORKING, "exec_self"}, {{"ROOFMARK_SPOOL", "off"}});
  EXPECT_EQ(Flops(job, "outer"), 3u * (1000 + 4 * 2000));
  EXPECT_EQ(job.run.passes[0].command.back(), "nested");
}

class CountingTeams : public Counting, public testing::WithParamInterface<const char*> {};

TEST_P(CountingTeams, EachThreadIsCovered) {
  const JobProfile job = Count({GetParam(), "team", "4"});
  // Thread t does (t + 1) x 1000 in the team region and as much again in its own.
  EXPECT_EQ(Flops(job, "team"), 2u * 10'000);
  EXPECT_EQ(Flops(job, "team/own"), 10'000u);
  EXPECT_EQ(Value(job, "team", metric::kWorkers), 4u);
  EXPECT_EQ(Value(job, "team", metric::kWorkerFlopsMax), 2u * 4000);
  EXPECT_EQ(Value(job, "team/own", metric::kWorkerFlopsMax), 4000u);
}

TEST_P(CountingTeams, WhatThreadsDoInRegionsThatAreLeftOutIsTheTeams) {
  for (const char* regions : {"-own", "-team/own"}) {
    const JobProfile job = Count({GetParam(), "team", "4"}, {{"ROOFMARK_REGIONS", regions}});
    EXPECT_EQ(job.paths.size(), 1u);
    EXPECT_EQ(Flops(job, "team"), 2u * 10'000) << regions;
    EXPECT_EQ(Value(job, "team", metric::kWorkerFlopsMax), 2u * 4000) << regions;
  }
  for (const char* regions : {"own", "team/*"}) {
    const JobProfile job = Count({GetParam(), "team", "4"}, {{"ROOFMARK_REGIONS", regions}});
    EXPECT_EQ(job.paths.size(), 1u);
    EXPECT_EQ(Flops(job, "own"), 10'000u) << regions;
    EXPECT_EQ(Value(job, "own", metric::kWorkerFlopsMax), 4000u) << regions;
  }
}

// A thread whose region is left out goes on with its team, into the next region too.
TEST_P(CountingTeams, AThreadFollowsItsTeamOutOfARegionThatIsLeftOut) {
  const JobProfile job = Count({GetParam(), "two teams"}, {{"ROOFMARK_REGIONS", "-first/outer"}});
  EXPECT_EQ(Flops(job, "first"), 2u * 1100);
  EXPECT_EQ(Flops(job, "first/own"), 2u * 1000);
  EXPECT_EQ(Flops(job, "second"), 2u * 2000);
}

const char* const kRuntimes[] = {
    WORKING,
#ifdef WORKING_LIBOMP
    WORKING_LIBOMP,
#endif
};
INSTANTIATE_TEST_SUITE_P(Runtimes, CountingTeams, testing::ValuesIn(kRuntimes),
                         [](const auto& given) { return given.index == 0 ? "libgomp" : "libomp"; });

TEST_F(Counting, ThreadsMadeInsideTheRegionAndTeamsOfOne) {
  const JobProfile job = Count({WORKING, "created"});
  EXPECT_EQ(Flops(job, "team"), 5u * 1000 + 1000 + 1000);
  EXPECT_EQ(Value(Count({WORKING, "team", "1"}), "team", metric::kWorkers), 1u);
}

TEST_F(Counting, SixtyFourThreads) {
  const JobProfile job = Count({WORKING, "team", "64"});
  EXPECT_EQ(Flops(job, "team"), 2u * 1000 * 64 * 65 / 2);
}

// The table of the counts grows while it is read.
TEST_F(Counting, ThreadsThatAreMadeWhileTheProcessEnds) {
  EXPECT_GE(Flops(Count({WORKING, "maker"}), "main"), 1000u);
}

TEST_F(Counting, LargeStackArraysRunAsTheyDoNatively) {
  // The native run needs the limit too; the engine takes it over.
  const std::string command = "ulimit -s 131072 && exec " WORKING " stack";
  const Ended native = test::Run({"bash", "-c", command});
  if (native.status != 0) GTEST_SKIP() << "the stack limit cannot be raised here";
  EXPECT_GT(Flops(Count({"bash", "-c", command}), "stack"), 0u);
}

TEST_F(Counting, OfVisitsThatAreNotModelledEverythingElseIsCounted) {
  const JobProfile job = Count({WORKING, "many"}, {{"ROOFMARK_VISITS", "first:3"}});
  EXPECT_EQ(Value(job, "many", metric::kVisits), 200u);
  EXPECT_EQ(Value(job, "many", metric::kTimedVisits), 3u);
  EXPECT_EQ(Flops(job, "many"), 200u * 10'000);
  EXPECT_EQ(Flops(job, "late"), 1000u) << "a region first seen late is counted";
  EXPECT_EQ(job.sources[metric::kInstructions].status, Status::kMeasured);
  EXPECT_EQ(job.sources[metric::kDramReadBytes].status, Status::kModelled);
  const JobProfile all = Count({WORKING, "many"});
  const auto read = [](const JobProfile& of) { return Value(of, "many", metric::kL1ReadBytes); };
  EXPECT_EQ(Value(job, "many", metric::kLoadBytes), Value(all, "many", metric::kLoadBytes));
  EXPECT_GT(read(job), 0u);
  EXPECT_GT(read(all), 0u);
}

TEST_F(Counting, VisitsOfDifferentWorkAreNotTakenForEqual) {
  const JobProfile job = Count({WORKING, "unequal"}, {{"ROOFMARK_VISITS", "first:1"}});
  EXPECT_EQ(Value(job, "unequal", metric::kTimedVisits), 1u);
  EXPECT_EQ(Flops(job, "unequal"), 50u * (10'000 + 2'500 + 625 + 156));
}

TEST_F(Counting, NothingIsCountedWhilePausedOnAnyThread) {
  const JobProfile job = Count({WORKING, "pauses"});
  EXPECT_EQ(Flops(job, "team/own"), 2u * 3400);
  EXPECT_EQ(Flops(job, "team"), 1000u + 2 * 3400);
  EXPECT_EQ(job.FindPath("team/unseen"), -1);
  EXPECT_EQ(Value(job, "team", metric::kPauses), 2u);
  EXPECT_EQ(Value(job, "team/own", metric::kPauses), 2u) << "one on each thread";
}

TEST_F(Counting, EveryNthVisit) {
  const JobProfile job = Count({WORKING, "many"}, {{"ROOFMARK_VISITS", "every:10"}});
  EXPECT_EQ(Value(job, "many", metric::kTimedVisits), 20u);
  EXPECT_EQ(Flops(job, "many"), 200u * 10'000);
}

TEST_F(Counting, VisitsThatAreNotMeasuredAreNotTheSurroundingRegions) {
  const JobProfile job = Count({WORKING, "visits"}, {{"ROOFMARK_VISITS", "every:5"}});
  EXPECT_EQ(Value(job, "team/own", metric::kTimedVisits), 2u * 2);
  EXPECT_EQ(Flops(job, "team/own"), 2u * 10 * 1000);
  EXPECT_EQ(Flops(job, "team"), 2u * 10 * 1000);
}

TEST_F(Counting, WithoutCacheModelTheReasonIsGiven) {
  const JobProfile job = Count({WORKING, "nested"}, {{"ROOFMARK_COUNT", "flops"}});
  EXPECT_EQ(Flops(job, "outer/inner"), 24'000u);
  EXPECT_EQ(job.sources[metric::kDramReadBytes].status, Status::kUnsupported);
  EXPECT_EQ(job.sources[metric::kDramReadBytes].reason,
            "no cache model in this run: set ROOFMARK_COUNT=cache");
}

TEST_F(Counting, ArgumentsWorkingDirectoryAndExitStatusSurvive) {
  const Ended ended = test::Run(
      {WORKING, "echo", "", "two words", "*", "--tool=none"},
      {{"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_OUTPUT", "out.json"}}, directory_.path());
  EXPECT_EQ(ended.status, 7);
  EXPECT_EQ(ended.out, "[][two words][*][--tool=none]" + directory_.path() + "\n");
}

// The engine needs one, and the program keeps its own.
TEST_F(Counting, ADirectoryForTemporaryFilesThatIsNotThere) {
  const Ended ended = test::Run({WORKING, "tmpdir"}, {{"ROOFMARK_COLLECTOR", "counting"},
                                                      {"ROOFMARK_COUNT", "flops"},
                                                      {"ROOFMARK_OUTPUT", output_},
                                                      {"TMPDIR", "/nonexistent"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.out, "/nonexistent done\n");
  EXPECT_EQ(Flops(test::ReadRoofline(output_).job, "outer/inner"), 3u * 4 * 2000);
}

TEST_F(Counting, BadGeometryIsSaidAndTimeIsStillRecorded) {
  const Ended ended = test::Run({WORKING, "nested"}, {{"ROOFMARK_COLLECTOR", "counting"},
                                                      {"ROOFMARK_CACHE", "L1:32K:7"},
                                                      {"ROOFMARK_OUTPUT", output_}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err,
              HasSubstr("roofmark: ROOFMARK_COLLECTOR=counting: ROOFMARK_CACHE=L1:32K:7: "));
  EXPECT_THAT(ended.err, HasSubstr("roofmark: recording visits and time only\n"));
  const JobProfile job = test::ReadRoofline(output_).job;
  EXPECT_EQ(Value(job, "outer", metric::kVisits), 3u);
  EXPECT_EQ(job.At(0, metric::kInstructions).ranks, 0u);
}

TEST_F(Counting, MissingToolIsSaidAndTimeIsStillRecorded) {
  const Ended ended = test::Run({WORKING, "nested"}, {{"ROOFMARK_COLLECTOR", "counting"},
                                                      {"ROOFMARK_TOOL_DIR", "/nowhere"},
                                                      {"ROOFMARK_OUTPUT", output_}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err,
              HasSubstr(test::LineOf(message::kCollectorRefused, "counting",
                                     InWords(message::kNoTool, "/nowhere/roofmark-amd64-linux",
                                             "No such file or directory")) +
                        "roofmark: recording visits and time only\n"));
  EXPECT_EQ(Value(test::ReadRoofline(output_).job, "outer", metric::kVisits), 3u);
}

TEST_F(Counting, AnotherToolOfValgrindIsNamedBesideOtherProblems) {
  const Ended ended = test::Run({"valgrind", "-q", "--tool=none", WORKING, "nested"},
                                {{"ROOFMARK_COLLECTOR", "counting"},
                                 {"ROOFMARK_COLECTOR", "counting"},
                                 {"ROOFMARK_OUTPUT", output_}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("roofmark: ROOFMARK_COLECTOR is not a setting of roofmark"));
  EXPECT_THAT(
      ended.err,
      HasSubstr("roofmark: ROOFMARK_COLLECTOR=counting: the program runs under another tool of "
                "Valgrind; start it without that tool, because roofmark uses its own\n"));
}

// The engine's own diagnosis of the same instruction would bury it.
TEST_F(Counting, Avx512IsExplainedByRoofmarkAlone) {
  const Ended ended = test::Run({AVX512_PROGRAM, "zmm"}, {{"ROOFMARK_COLLECTOR", "counting"},
                                                          {"ROOFMARK_OUTPUT", output_},
                                                          {"ROOFMARK_QUIET", "1"},
                                                          {"ROOFMARK_SPOOL", "off"},
                                                          {"LD_PRELOAD", LIBRARY}});
  EXPECT_EQ(ended.status, 128 + SIGILL);
  EXPECT_THAT(ended.err, testing::StartsWith("roofmark: AVX-512 instruction at 0x"));
  EXPECT_THAT(ended.err, Not(HasSubstr("unhandled instruction bytes")));
  EXPECT_THAT(ended.err, Not(HasSubstr("Unrecognised instruction")));
}

TEST_F(Counting, LibraryOpenedLateIsNeverReExecuted) {
  const Ended ended = test::Run({OPENS_LATE, LIBRARY},
                                {{"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_OUTPUT", output_}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "main once\n");
  EXPECT_THAT(ended.err, test::Says(message::kOpenedTooLate));
  EXPECT_EQ(Value(test::ReadRoofline(output_).job, "late", metric::kVisits), 1u);
}

TEST_F(Counting, PreloadedIntoAForeignProgram) {
  const Ended ended = test::Run(
      {OPENS_LATE, LIBRARY},
      {{"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_OUTPUT", output_}, {"LD_PRELOAD", LIBRARY}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.out, "main once\n");
  EXPECT_EQ(test::ReadRoofline(output_).job.run.passes[0].collector, "counting");
}

}  // namespace
}  // namespace roofmark::test
