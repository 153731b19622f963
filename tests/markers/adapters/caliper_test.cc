// SPDX-License-Identifier: BSD-3-Clause
//
// Programs with Caliper's annotations: in C against Caliper's own headers (foreign/caliper), in C++
// against the published classes alone.
#include "tests/markers/adapters/adapted.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Caliper : public Adapted {
 protected:
  static void ExpectRegions(const JobProfile& job) {
    EXPECT_THAT(Paths(job),
                ElementsAre("main", "main/Work", "main/Work/steps", "main/Work/steps/sum",
                            "main/Work/steps/sum/OldFunction", "main/assembly", "main/flag",
                            "main/phase", "main/phase/exchange", "main/stencil", "main/switch",
                            "main/switch/within", "worker"));
    EXPECT_EQ(Value(job, "main/phase/exchange", metric::kVisits), 1u);
    EXPECT_EQ(Value(job, "main/Work/steps", metric::kVisits), 1u);
    EXPECT_EQ(Value(job, "main/Work/steps/sum/OldFunction", metric::kVisits), 3u);
    EXPECT_EQ(Value(job, "worker", metric::kVisits), 2u);
    EXPECT_EQ(KindOf(job, "main/stencil"), RegionKind::kTeam);
    EXPECT_EQ(KindOf(job, "worker"), RegionKind::kThread);
  }
  static void ExpectScopes(const JobProfile& job) {
    EXPECT_THAT(Paths(job),
                ElementsAre("main", "main/Inherited", "main/Inherited/loop", "main/Inherited/scope",
                            "main/Sweep", "main/Sweep/after", "main/Sweep/cells"));
    EXPECT_EQ(Value(job, "main/Inherited/loop", metric::kVisits), 1u);
    EXPECT_EQ(Value(job, "main/Sweep/cells", metric::kVisits), 2u);
    EXPECT_EQ(Value(job, "main/Sweep/after", metric::kVisits), 1u);
  }
};

TEST_F(Caliper, RegionsBesideTheTool) {
  ExpectRegions(Record("--adapters=caliper", {CALIPER_CLIENT}));
  EXPECT_THAT(ended_.out, HasSubstr("begins"));
}

TEST_F(Caliper, RegionsWithoutTheTool) {
  ExpectRegions(RecordLinked({CALIPER_LINKED}));
  EXPECT_THAT(ended_.out, HasSubstr("found 1\n"));
}

TEST_F(Caliper, ScopesOfCpp) {
  ExpectScopes(Record("--adapters=caliper", {CALIPER_SCOPES_CLIENT}));
  ExpectScopes(RecordLinked({CALIPER_SCOPES_LINKED}));
}

TEST_F(Caliper, NotIfOthersAreWanted) {
  EXPECT_THAT(Paths(Record("--adapters=likwid", {CALIPER_CLIENT})), ElementsAre());
}

TEST_F(Caliper, WhatIsWrongIsHarmless) {
  const JobProfile job = Record("--adapters", {CALIPER_CLIENT, "hostile"});
  EXPECT_THAT(Paths(job), Contains(testing::StartsWith("nnnn")));
  EXPECT_THAT(Paths(job), Contains("unknown attribute/inside"));
  EXPECT_THAT(Paths(job), Not(Contains("never")));
  EXPECT_EQ(Value(job, "deep", metric::kVisits), 4u * 256u) << "as many as are kept on a thread";
  EXPECT_EQ(Value(job, "crowd", metric::kVisits), 4u) << "all of the others have ended";
}

}  // namespace
}  // namespace roofmark::test
