// SPDX-License-Identifier: BSD-3-Clause
//
// Regions of OpenMP's constructs for devices, told by a runtime that is scripted.
#include "tests/markers/adapters/adapted.h"

namespace roofmark::test {
namespace {

using testing::ElementsAre;

class OmptTarget : public Adapted {
 protected:
  void SetUp() override {
#ifndef HAVE_LIBDW
    GTEST_SKIP() << "roofmark was built without libdw: constructs have no lines";
#endif
  }
};

TEST_F(OmptTarget, EachConstructIsARegion) {
  const JobProfile job = Record("--adapters=ompt", {OMPT_TARGET});
  EXPECT_THAT(Paths(job), ElementsAre("ompt_target.c:43 target enter data in Solve()",
                                      "ompt_target.c:45 target in Solve()",
                                      "ompt_target.c:47 target update in Solve()",
                                      "ompt_target.c:48 target in Solve()",
                                      "ompt_target.c:49 target exit data in Solve()"));
  EXPECT_EQ(Value(job, "ompt_target.c:45 target in Solve()", metric::kVisits), 3u);
  EXPECT_EQ(Value(job, "ompt_target.c:48 target in Solve()", metric::kVisits), 1u);
  EXPECT_EQ(KindOf(job, "ompt_target.c:45 target in Solve()"), RegionKind::kTeam);
}

TEST_F(OmptTarget, NoneIfOthersAreWanted) {
  EXPECT_THAT(Paths(Record("--adapters=itt", {OMPT_TARGET})), ElementsAre());
}

}  // namespace
}  // namespace roofmark::test
