// SPDX-License-Identifier: BSD-3-Clause
//
// Programs with ITT's tasks and frames. Built against Intel's own header and static part where they
// are installed (ITT_CLIENT_REAL), else against the published interface alone.
#include "tests/markers/adapters/adapted.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class Itt : public Adapted {
 protected:
  static void ExpectRegions(const JobProfile& job) {
    EXPECT_THAT(Paths(job),
                ElementsAre("sweep", "time step", "time step/solve", "time step/solve/sweep"));
    EXPECT_EQ(Value(job, "time step/solve/sweep", metric::kVisits), 3u);
    EXPECT_EQ(Value(job, "sweep", metric::kVisits), 2u);
    EXPECT_EQ(KindOf(job, "time step"), RegionKind::kTeam);
    EXPECT_EQ(KindOf(job, "sweep"), RegionKind::kThread);
  }
};

TEST_F(Itt, Regions) { ExpectRegions(Record("--adapters=itt", {ITT_CLIENT})); }

TEST_F(Itt, RealHeaderAndStaticPart) {
#ifdef ITT_CLIENT_REAL
  ExpectRegions(Record("--adapters=itt", {ITT_CLIENT_REAL}));
#else
  GTEST_SKIP() << "ITT is not installed: built against the published interface only";
#endif
}

TEST_F(Itt, NoneIfOthersAreWanted) {
  EXPECT_THAT(Paths(Record("--adapters=nvtx", {ITT_CLIENT})), ElementsAre());
}

// LLVM's OpenMP runtime has ITT's static part, too, and asks for the collector.
TEST_F(Itt, TheOpenMpRuntimeMakesNoRegions) {
#ifdef ITT_LIBOMP
  ExpectRegions(Record("--adapters=itt", {ITT_LIBOMP}));
#else
  GTEST_SKIP() << "no OpenMP runtime of LLVM";
#endif
}

TEST_F(Itt, WhatIsWrongIsHarmless) {
  const JobProfile job = Record("--adapters", {ITT_CLIENT, "hostile"});
  EXPECT_THAT(Paths(job), Contains(testing::StartsWith("nnnn")));
  EXPECT_THAT(Paths(job), Contains("frames"));
  EXPECT_THAT(Paths(job), Not(Contains("(unnamed)")));
  EXPECT_EQ(Value(job, "deep", metric::kVisits), 4u * 256u) << "as many as are kept on a thread";
}

}  // namespace
}  // namespace roofmark::test
