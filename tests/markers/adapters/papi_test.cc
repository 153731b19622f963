// SPDX-License-Identifier: BSD-3-Clause
//
// Programs with PAPI's high-level interface, built against PAPI's own header and library.
#include "tests/markers/adapters/adapted.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class PapiHighLevel : public Adapted {
 protected:
  static void ExpectRegions(const JobProfile& job) {
    EXPECT_THAT(Paths(job), ElementsAre("solve", "solve/sweep", "worker"));
    EXPECT_EQ(Value(job, "solve/sweep", metric::kVisits), 3u);
    EXPECT_EQ(Value(job, "worker", metric::kVisits), 2u);
    EXPECT_EQ(KindOf(job, "solve"), RegionKind::kTeam);
    EXPECT_EQ(KindOf(job, "worker"), RegionKind::kThread);
  }
};

// PAPI counts what this machine can count, or says that it cannot: in both runs the same.
TEST_F(PapiHighLevel, RegionsBesideTheTool) {
  ExpectRegions(Record("--adapters=papi", {PAPI_CLIENT}));
}

TEST_F(PapiHighLevel, RegionsWithoutTheTool) {
  ExpectRegions(RecordLinked({PAPI_LINKED}));
  EXPECT_EQ(ended_.out, "begin 0\ndone\n");
}

TEST_F(PapiHighLevel, Fortran) {
#ifdef PAPI_FORTRAN
  const JobProfile job = RecordLinked({PAPI_FORTRAN});
  EXPECT_THAT(Paths(job), ElementsAre("outer", "outer/padded"));
  EXPECT_EQ(Value(job, "outer/padded", metric::kVisits), 1u);
  EXPECT_THAT(ended_.out, testing::ContainsRegex("check +0\n"));
#else
  GTEST_SKIP() << "no Fortran compiler";
#endif
}

TEST_F(PapiHighLevel, WhatIsWrongIsHarmless) {
  const JobProfile job = RecordLinked({PAPI_LINKED, "hostile"});
  EXPECT_THAT(Paths(job), Contains(testing::StartsWith("nnnn")));
  EXPECT_THAT(Paths(job), Contains("after stop"));
  EXPECT_THAT(Paths(job), Not(Contains("never begun")));
}

}  // namespace
}  // namespace roofmark::test
