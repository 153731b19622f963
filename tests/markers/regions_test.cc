// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_REGIONS: marked programs of which a part is recorded, and what their files have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/recording.h"
#include "tests/support/recording.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using test::Says;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

class Regions : public Recording {
 protected:
  JobProfile Record(const std::string& regions, const std::vector<std::string>& command,
                    Environment environment = {}) {
    std::remove(output_.c_str());
    environment["ROOFMARK_REGIONS"] = regions;
    environment.try_emplace("ROOFMARK_COLLECTOR", "timer");
    return RunAndRead(command, environment);
  }

  static std::vector<std::string> Paths(const JobProfile& job) {
    std::vector<std::string> paths;
    for (const PathInfo& info : job.paths) paths.push_back(info.path);
    return paths;
  }
  static uint64_t Flops(const JobProfile& job, const std::string& path) {
    return Value(job, path, metric::kDeclaredFlops);
  }
};

TEST_F(Regions, WhatIsLeftOutByItsNameBelongsToTheRegionAround) {
  const JobProfile job = Record("-halo", {CHOSEN, "tree"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("solve", "solve/pack", "solve/mul", "solve/mul/pack",
                                               "setup", "setup/mul"));
  EXPECT_EQ(Value(job, "solve/pack", metric::kVisits), 3u) << "of halo";
  EXPECT_EQ(Flops(job, "solve/pack"), 3u * 2);
  EXPECT_EQ(Flops(job, "solve"), 3u * (10 + 1 + 2 + 100 + 3));
  EXPECT_THAT(job.run.warnings, IsEmpty());
  EXPECT_EQ(job.run.passes.at(0).settings.at("regions"), "-halo");
}

// A marker that is off costs one load and a branch.
TEST_F(Regions, MarkersThatAreLeftOutByTheirNameAreOff) {
  for (const char* regions : {"-halo", "solve", "solve/*,-halo"}) {
    EXPECT_THAT(Paths(Record(regions, {CHOSEN, "site"})), IsEmpty()) << regions;
  }
  const Ended on = test::Run({CHOSEN, "site"}, {{"ROOFMARK_REGIONS", "-/halo"},
                                                {"ROOFMARK_OUTPUT", directory_.File("on.json")}});
  EXPECT_EQ(on.status, 1) << "where it lies must be known";
}

TEST_F(Regions, OnlyWhatAPatternNamesIsIn) {
  const JobProfile job = Record("pack,setup", {CHOSEN, "tree"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("pack", "setup"));
  EXPECT_EQ(Value(job, "pack", metric::kVisits), 6u);
  EXPECT_EQ(Flops(job, "pack"), 3u * (2 + 3));
  EXPECT_EQ(Flops(job, "setup"), 1000u);
}

TEST_F(Regions, PathsChooseByWhereARegionLies) {
  JobProfile job = Record("solve/*,-halo", {CHOSEN, "tree"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("pack", "mul", "mul/pack"));
  EXPECT_EQ(Flops(job, "mul"), 3u * (100 + 3)) << "without that of setup";
  EXPECT_EQ(Flops(job, "pack"), 3u * 2);
  job = Record("-solve/mul", {CHOSEN, "tree"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("solve", "solve/halo", "solve/halo/pack",
                                               "solve/pack", "setup", "setup/mul"));
  EXPECT_EQ(Flops(job, "solve/pack"), 3u * 3);
  EXPECT_EQ(Flops(job, "solve"), 3u * (10 + 1 + 2 + 100 + 3));
  job = Record("/solve,mul/pack", {CHOSEN, "tree"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("solve", "solve/pack"));
  EXPECT_EQ(Value(job, "solve/pack", metric::kVisits), 3u) << "halo/pack is another one";
}

TEST_F(Regions, TimeOfALeftOutRegionIsThatOfTheRegionAround) {
  for (const char* regions : {"-inner", "-outer/inner"}) {
    const JobProfile job = Record(regions, {MARKED, "nested"});
    EXPECT_THAT(Paths(job), ElementsAre("outer", "outer/with\\/slash"));
    EXPECT_GE(Value(job, "outer", metric::kTimeNs), 12'000'000u);
    EXPECT_EQ(Value(job, "outer", metric::kDeclaredOperations), 84u);
    EXPECT_EQ(job.paths[0].operation, "updates");
  }
  EXPECT_THAT(Paths(Record("with\\/*", {MARKED, "nested"})), ElementsAre("with\\/slash"));
}

TEST_F(Regions, RecursionThroughWhatIsLeftOutCountsOnce) {
  for (const char* regions : {"-between", "-recursive/between"}) {
    const JobProfile job = Record(regions, {MARKED, "recurse"});
    EXPECT_THAT(Paths(job), ElementsAre("recursive"));
    EXPECT_EQ(Value(job, "recursive", metric::kVisits), 5u);
  }
  const JobProfile job = Record("-/recursive", {MARKED, "recurse"});
  EXPECT_THAT(Paths(job), ElementsAre("between"));
  EXPECT_EQ(Value(job, "between", metric::kVisits), 4u);
}

TEST_F(Regions, OperationsOfAnotherKindAreSaidAsElsewhere) {
  const JobProfile job = Record("-halo", {CHOSEN, "kinds"});
  EXPECT_EQ(job.paths.at(0).operation, "messages");
  EXPECT_EQ(Value(job, "solve", metric::kDeclaredOperations), 2u);
  EXPECT_THAT(job.run.warnings, ElementsAre(Says(message::kOperationsMovedOut, 5)));
}

TEST_F(Regions, MismatchesAreThoseOfRegionsThatAreKnown) {
  JobProfile job = Record("-halo", {CHOSEN, "mismatched"});
  EXPECT_THAT(job.run.warnings, ElementsAre(Says(message::kEndOfOther, "mul", _, _, "solve", _)));
  job = Record("-solve/halo", {CHOSEN, "mismatched"});
  EXPECT_THAT(Paths(job), ElementsAre("solve"));
  EXPECT_THAT(job.run.warnings,
              UnorderedElementsAre(
                  AllOf(Says(message::kEndOfOther, "mul", _, _, "halo", _), HasSubstr("chosen.c:")),
                  Says(message::kEndClosedOthers, "solve", _, _, "halo", _),
                  Says(message::kEndWithoutRegion, "halo", _, _)));
}

TEST_F(Regions, TeamsAndThreads) {
  JobProfile job = Record("-team", {CHOSEN, "threads"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("step", "step/mine", "step/mine/inside"));
  EXPECT_EQ(Value(job, "step/mine", metric::kVisits), 30u);
  job = Record("-step/team,-mine", {CHOSEN, "threads"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("step", "step/inside"));
  EXPECT_EQ(Value(job, "step/inside", metric::kVisits), 30u);
  EXPECT_EQ(Flops(job, "step"), 30u);
  job = Record("/step,step/team/mine", {CHOSEN, "threads"});
  EXPECT_THAT(Paths(job), UnorderedElementsAre("step", "step/mine"));
  EXPECT_EQ(Flops(job, "step/mine"), 30u);
  for (const char* regions : {"-team", "*,-/team"}) {
    job = Record(regions, {MARKED, "team", "2"});
    EXPECT_THAT(Paths(job), ElementsAre("worker"));
    EXPECT_EQ(Value(job, "worker", metric::kVisits), 4u);
    EXPECT_EQ(Flops(job, "worker"), 2u * 30);
  }
}

TEST_F(Regions, NamesMadeAtRunTime) {
  for (const char* regions : {"-step [01],-x*", "-/step [01],-/x*"}) {
    const JobProfile job = Record(regions, {MARKED, "named"});
    EXPECT_THAT(Paths(job), ElementsAre("step 2"));
    EXPECT_EQ(Value(job, "step 2", metric::kVisits), 4u);
  }
}

TEST_F(Regions, ScopesOfCpp) {
  for (const char* regions : {"-early,-throws", "-/early,-/throws", "late,inside,team,work"}) {
    const JobProfile job = Record(regions, {MARKED_CPP});
    EXPECT_THAT(Paths(job), UnorderedElementsAre("late", "inside", "team", "team/work"));
    EXPECT_EQ(Value(job, "late", metric::kVisits), 5u);
    EXPECT_EQ(Value(job, "inside", metric::kVisits), 3u);
    EXPECT_THAT(job.run.warnings, IsEmpty());
  }
}

TEST_F(Regions, Fortran) {
#ifdef MARKED_FORTRAN
  for (const char* regions : {"-inner,-step*", "-outer/inner,-/step*"}) {
    const JobProfile job = Record(regions, {MARKED_FORTRAN});
    EXPECT_THAT(Paths(job), UnorderedElementsAre("outer", "team", "team/worker"));
    EXPECT_EQ(Flops(job, "outer"), 60u);
    EXPECT_EQ(Value(job, "outer", metric::kDeclaredOperations), 50u);
    EXPECT_EQ(Value(job, "team/worker", metric::kVisits), 2u);
  }
#else
  GTEST_SKIP() << "no Fortran compiler was found";
#endif
}

TEST_F(Regions, PausesAndSampledVisits) {
  const JobProfile pauses = Record("-open/*,-open", {MARKED, "pauses"});
  EXPECT_THAT(Paths(pauses), ElementsAre("visited"));
  EXPECT_EQ(Value(pauses, "visited", metric::kVisits), 3u + 5u);
  const JobProfile sampled =
      Record("-outer/inner", {MARKED, "nested"}, {{"ROOFMARK_VISITS", "first:1"}});
  EXPECT_THAT(Paths(sampled), ElementsAre("outer", "outer/with\\/slash"));
  EXPECT_EQ(Value(sampled, "outer", metric::kTimedVisits), 1u);
}

TEST_F(Regions, ThatNothingIsChosenIsSaidWithTheNamesThereWere) {
  for (const char* regions : {"sovle", "sovle/*"}) {
    const JobProfile job = Record(regions, {CHOSEN, "tree"});
    EXPECT_THAT(job.paths, IsEmpty());
    EXPECT_THAT(job.run.warnings,
                ElementsAre(AllOf(Says(message::kAllRegionsLeftOut, regions, "the program", _, _),
                                  HasSubstr("solve"), HasSubstr("setup"))));
    EXPECT_THAT(ended_.err, Says(message::kAllRegionsLeftOut, regions, _, _, _));
    EXPECT_THAT(ended_.err, Not(Says(message::kNoRegionEntered)));
  }
  Record("sovle", {MARKED});
  EXPECT_THAT(ended_.err, Says(message::kNoRegionEntered)) << "there was none to choose from";
}

TEST_F(Regions, AMalformedPatternIsNamedAndAllIsRecorded) {
  const JobProfile job = Record("-halo,solve/[a", {CHOSEN, "tree"});
  EXPECT_EQ(job.paths.size(), 7u);
  EXPECT_THAT(ended_.err,
              HasSubstr("roofmark: ROOFMARK_REGIONS=-halo,solve/[a is malformed and is ignored, so "
                        "every region is recorded: `solve/[a` has a [ without its ]; it takes "
                        "patterns, as in solve/*,-halo\n"));
  EXPECT_FALSE(job.run.passes.at(0).settings.contains("regions"));
  EXPECT_THAT(job.run.warnings, Contains(HasSubstr("ROOFMARK_REGIONS")));
}

}  // namespace
}  // namespace roofmark::test
