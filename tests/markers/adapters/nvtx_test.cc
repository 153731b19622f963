// SPDX-License-Identifier: BSD-3-Clause
//
// Programs with NVTX's ranges, built against NVIDIA's own headers (foreign/nvtx).
#include "tests/markers/adapters/adapted.h"
#include "tests/support/sanitizers.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Nvtx = Adapted;

TEST_F(Nvtx, Regions) {
  const JobProfile job = Record("--adapters=nvtx", {NVTX_CLIENT});
  EXPECT_THAT(Paths(job), ElementsAre("outer", "outer/attributes", "outer/registered",
                                      "outer/started", "outer/wide \u00e9", "worker"));
  EXPECT_EQ(Value(job, "outer/attributes", metric::kVisits), 3u);
  EXPECT_EQ(Value(job, "outer/registered", metric::kVisits), 2u);
  EXPECT_EQ(Value(job, "worker", metric::kVisits), 2u);
  EXPECT_EQ(KindOf(job, "outer/started"), RegionKind::kTeam);
  EXPECT_EQ(KindOf(job, "worker"), RegionKind::kThread);
}

TEST_F(Nvtx, NoneIfOthersAreWanted) {
  EXPECT_THAT(Paths(Record("--adapters=caliper", {NVTX_CLIENT})), ElementsAre());
}

TEST_F(Nvtx, TheUsersVariableStays) {
  if (ROOFMARK_TEST_SANITIZED) GTEST_SKIP() << "the shell lacks what sanitizers need";
  const Ended ended =
      RunBy("--adapters", {"sh", "-c", "echo $NVTX_INJECTION64_PATH; exec " NVTX_CLIENT},
            {{"NVTX_INJECTION64_PATH", "/no/such/library.so"}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "/no/such/library.so\ndone\n");
  EXPECT_THAT(ended.err, HasSubstr("NVTX_INJECTION64_PATH is set already (/no/such/library.so)"));
  EXPECT_THAT(Paths(ReadRoofline(output_).job), ElementsAre());
}

TEST_F(Nvtx, WhatIsWrongIsHarmless) {
  const JobProfile job = Record("--adapters", {NVTX_CLIENT, "hostile"});
  EXPECT_THAT(Paths(job), Contains(testing::StartsWith("nnnn")));
  EXPECT_THAT(Paths(job), Contains("first/other domain"));
  EXPECT_THAT(Paths(job), Not(Contains("too short")));
  EXPECT_THAT(Paths(job), Not(Contains("(unnamed)")));
  EXPECT_EQ(Value(job, "deep", metric::kVisits), 4u * 256u) << "as many as are kept on a thread";
  EXPECT_EQ(Value(job, "crowd", metric::kVisits), 4u) << "all of the others have ended";
}

}  // namespace
}  // namespace roofmark::test
