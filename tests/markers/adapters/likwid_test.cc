// SPDX-License-Identifier: BSD-3-Clause
//
// Programs with LIKWID's markers. Built against LIKWID's own header and library where they are
// installed (LIKWID_CLIENT_REAL), else against a header of the published functions alone.
#include "tests/markers/adapters/adapted.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Likwid : public Adapted {
 protected:
  static void ExpectRegions(const JobProfile& job) {
    EXPECT_THAT(Paths(job), ElementsAre("solve", "solve/sweep"));
    EXPECT_EQ(Value(job, "solve", metric::kVisits), 3u);
    EXPECT_EQ(Value(job, "solve/sweep", metric::kVisits), 6u) << "of two threads";
    EXPECT_EQ(KindOf(job, "solve"), RegionKind::kTeam);
    EXPECT_EQ(KindOf(job, "solve/sweep"), RegionKind::kThread);
  }
};

TEST_F(Likwid, RegionsBesideTheTool) {
  ExpectRegions(Record("--adapters", {LIKWID_CLIENT}));
  EXPECT_THAT(ended_.out, HasSubstr("-14 -14 -14\n")) << "LIKWID is inactive, as without adapters";
  EXPECT_THAT(ended_.out, HasSubstr("9 starts, 9 stops\n"));
}

TEST_F(Likwid, RegionsWithoutTheTool) {
  ExpectRegions(RecordLinked({LIKWID_LINKED}));
  EXPECT_THAT(ended_.out, HasSubstr("0 0 0\n"));
  EXPECT_THAT(ended_.out, HasSubstr("0 events, 0 times, reset 0\n"));
}

TEST_F(Likwid, RealHeaderAndLibrary) {
#ifdef LIKWID_CLIENT_REAL
  ExpectRegions(Record("--adapters=likwid", {LIKWID_CLIENT_REAL}));
#else
  GTEST_SKIP() << "LIKWID is not installed: built against the published functions only";
#endif
}

TEST_F(Likwid, OffChangesNothing) {
  const Ended alone = RunAlone({LIKWID_LINKED});
  EXPECT_EQ(alone.status, 0);
  EXPECT_EQ(alone.err, "");
  EXPECT_THAT(ListFiles(directory_.path()), IsEmpty());
}

TEST_F(Likwid, WhatIsWrongIsHarmless) {
  const JobProfile job = Record("--adapters=likwid", {LIKWID_CLIENT, "hostile"});
  EXPECT_THAT(Paths(job), Contains("before init"));
  EXPECT_THAT(Paths(job), Contains("after close"));
  EXPECT_THAT(Paths(job), Contains(testing::StartsWith("nnnn")));
  EXPECT_THAT(Paths(job), Contains("first/overlaps"));
  EXPECT_THAT(Paths(job), Not(Contains("never begun")));
  EXPECT_EQ(Value(job, "crowd", metric::kVisits), 4000u);
}

TEST_F(Likwid, Fortran) {
#ifdef LIKWID_FORTRAN
  const JobProfile job = Record("--adapters=likwid", {LIKWID_FORTRAN});
  EXPECT_THAT(Paths(job), ElementsAre("outer", "outer/padded"));
  EXPECT_EQ(Value(job, "outer/padded", metric::kVisits), 1u)
      << "once, though one function calls another";
#else
  GTEST_SKIP() << "no Fortran compiler";
#endif
}

TEST_F(Likwid, OnlyIfItIsAmongTheWanted) {
  ASSERT_EQ(RunAlone({LIKWID_LINKED}, {{"ROOFMARK_ADAPTERS", "likwid"},
                                       {"ROOFMARK_COLLECTOR", "timer"},
                                       {"ROOFMARK_OUTPUT", output_}})
                .status,
            0);
  ExpectRegions(ReadRoofline(output_).job);
  const Ended unknown = RunBy("--adapters=likwid,other", {LIKWID_CLIENT});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--adapters likwid,other cannot be used: it takes "));
}

TEST_F(Likwid, TheVariableStandsForTheOption) {
  const Ended ended =
      RunBy("--quiet-work-pass", {LIKWID_CLIENT}, {{"ROOFMARK_ADAPTERS", "likwid"}});
  ASSERT_EQ(ended.status, 0) << ended.err;
  ExpectRegions(ReadRoofline(output_).job);
}

}  // namespace
}  // namespace roofmark::test
