// SPDX-License-Identifier: BSD-3-Clause
//
// A program that calls its tool as Kokkos does, built against Kokkos' own header of the interface
// (foreign/kokkos).
#include "tests/markers/adapters/adapted.h"
#include "tests/support/sanitizers.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class KokkosTools : public Adapted {
 protected:
  static void ExpectRegions(const JobProfile& job) {
    EXPECT_THAT(Paths(job), ElementsAre("step", "step/axpy", "step/dot", "step/offsets", "worker"));
    EXPECT_EQ(Value(job, "step/axpy", metric::kVisits), 3u);
    EXPECT_EQ(Value(job, "step/dot", metric::kVisits), 3u);
    EXPECT_EQ(Value(job, "worker", metric::kVisits), 2u);
    EXPECT_EQ(KindOf(job, "step/axpy"), RegionKind::kTeam);
    EXPECT_EQ(KindOf(job, "worker"), RegionKind::kThread);
  }
};

TEST_F(KokkosTools, Regions) {
  ExpectRegions(Record("--adapters=kokkos", {KOKKOS_CLIENT}));
  EXPECT_THAT(ended_.err, Not(HasSubstr("fences")));
}

// The variable of earlier versions is the user's to set: later ones warn of it.
TEST_F(KokkosTools, EarlierVersions) {
  const Environment old = {{"OLD_KOKKOS", "1"}, {"KOKKOS_PROFILE_LIBRARY", ADAPTERS}};
  ExpectRegions(Record("--adapters=kokkos", {KOKKOS_CLIENT}, old));
  EXPECT_THAT(ended_.err, Not(HasSubstr("is set already")));
}

// Kokkos ends the program if both variables are set and differ.
TEST_F(KokkosTools, NeitherVariableIsSetIfTheUserHasOne) {
  if (ROOFMARK_TEST_SANITIZED) GTEST_SKIP() << "the shell lacks what sanitizers need";
  const Ended ended =
      RunBy("--adapters", {"sh", "-c", "echo ${KOKKOS_TOOLS_LIBS-unset} ${KOKKOS_PROFILE_LIBRARY}"},
            {{"KOKKOS_PROFILE_LIBRARY", "/their/tool.so"}});
  EXPECT_EQ(ended.out, "unset /their/tool.so\n");
  EXPECT_THAT(ended.err, HasSubstr("KOKKOS_PROFILE_LIBRARY is set already (/their/tool.so)"));
}

TEST_F(KokkosTools, NoneIfOthersAreWanted) {
  EXPECT_THAT(Paths(Record("--adapters=itt", {KOKKOS_CLIENT})), ElementsAre());
}

TEST_F(KokkosTools, WhatIsWrongIsHarmless) {
  const JobProfile job = Record("--adapters", {KOKKOS_CLIENT, "hostile"});
  EXPECT_THAT(Paths(job), Contains(testing::StartsWith("nnnn")));
  EXPECT_THAT(Paths(job), Contains("left open"));
  EXPECT_THAT(Paths(job), Not(Contains("(unnamed)")));
}

}  // namespace
}  // namespace roofmark::test
