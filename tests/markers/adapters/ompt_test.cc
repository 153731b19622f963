// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel constructs under LLVM's OpenMP. The program is built by LLVM's own compiler with debug
// information (OMPT_CLIENT) and without (OMPT_RELEASE), and by GCC (OMPT_GCC); another tool of OMPT
// against the compiler's own header.
#include <filesystem>

#include "lib/core/messages/command_run.h"
#include "tests/markers/adapters/adapted.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

// Of clients/ompt.c.
constexpr char kSweep[] = "ompt.c:30 parallel in Sweep()";
constexpr char kOne[] = "ompt.c:35 parallel in Serialised()";
constexpr char kIf[] = "ompt.c:37 parallel in Serialised()";
constexpr char kOuter[] = "ompt.c:43 parallel in Nested()";
constexpr char kInner[] = "ompt.c:43 parallel in Nested()/ompt.c:46 parallel in Nested()";
constexpr char kTeams[] = "ompt.c:53 teams in Teams()";
constexpr char kInTeams[] = "ompt.c:53 teams in Teams()/ompt.c:56 parallel in Teams()";
constexpr char kOwnThread[] = "ompt.c:65 parallel in OwnThread()";

class Ompt : public Adapted {
 protected:
  void SetUp() override {
#ifndef CONSTRUCTS
#define CONSTRUCTS ""
    GTEST_SKIP() << "bodies of constructs are seen on x86-64 alone";
#endif
#ifndef HAVE_LIBDW
    GTEST_SKIP() << "roofmark was built without libdw: constructs have no lines";
#endif
  }
  JobProfile RecordPreloaded(const std::string& libraries, const std::string& client) {
    std::filesystem::remove(output_);
    ended_ = RunAlone(
        {client},
        {{"LD_PRELOAD", libraries}, {"ROOFMARK_COLLECTOR", "timer"}, {"ROOFMARK_OUTPUT", output_}});
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    EXPECT_EQ(ended_.out, "done\n");
    return ReadRoofline(output_).job;
  }
  static void ExpectConstructs(const JobProfile& job) {
    EXPECT_THAT(Paths(job), IsSupersetOf({kSweep, kOne, kIf, kOuter, kInner, kOwnThread}));
    EXPECT_EQ(Value(job, kSweep, metric::kVisits), 3u);
    EXPECT_EQ(Value(job, kOne, metric::kVisits), 1u);
    EXPECT_EQ(Value(job, kIf, metric::kVisits), 1u);
    EXPECT_EQ(Value(job, kOuter, metric::kVisits), 1u);
    EXPECT_EQ(Value(job, kInner, metric::kVisits), 2u) << "one of each thread";
    EXPECT_EQ(Value(job, kOwnThread, metric::kVisits), 1u);
    for (const char* team : {kSweep, kOne, kIf, kOuter}) {
      EXPECT_EQ(KindOf(job, team), RegionKind::kTeam) << team;
    }
    for (const char* thread : {kInner, kOwnThread}) {
      EXPECT_EQ(KindOf(job, thread), RegionKind::kThread) << thread;
    }
  }
};

TEST_F(Ompt, Regions) {
  const JobProfile job = Record("--adapters=ompt", {OMPT_CLIENT});
  ExpectConstructs(job);
  EXPECT_EQ(Value(job, kTeams, metric::kVisits), 1u);
  EXPECT_EQ(Value(job, kInTeams, metric::kVisits), 2u) << "one of each team";
  EXPECT_EQ(KindOf(job, kTeams), RegionKind::kTeam);
  EXPECT_EQ(KindOf(job, kInTeams), RegionKind::kThread);
  EXPECT_EQ(job.paths.size(), 8u);
}

// The bodies know where they come from, and their lines are in the debug information alone.
TEST_F(Ompt, CompiledByGcc) {
  const JobProfile job = Record("--adapters=ompt", {OMPT_GCC});
  ExpectConstructs(job);
  EXPECT_EQ(job.paths.size(), 6u);
}

// Times in parallel regions are measured beside it (libroofmark_openmp_wait.so), and they belong to
// the constructs.
TEST_F(Ompt, TimesOfThreadsAreMeasuredToo) {
  for (const char* client : {OMPT_CLIENT, OMPT_GCC}) {
    const JobProfile job = Record("--adapters=ompt", {client});
    EXPECT_EQ(job.sources[metric::kOpenMpBusyNs].origin, "openmp_wait");
    for (const char* region : {kSweep, kOne, kOuter}) {
      EXPECT_GT(Value(job, region, metric::kParallelNs), 0u) << client << " " << region;
      EXPECT_LE(Value(job, region, metric::kParallelNs), Value(job, region, metric::kTimeNs));
    }
  }
}

TEST_F(Ompt, BesideMarkers) {
  const JobProfile job = Record("--adapters=ompt", {OMPT_MARKED});
  EXPECT_EQ(Value(job, std::string("solve/") + kSweep, metric::kVisits), 3u);
  EXPECT_EQ(Value(job, "solve", metric::kVisits), 1u);
  EXPECT_EQ(Value(job, kOuter, metric::kVisits), 1u);
}

TEST_F(Ompt, Chosen) {
  EXPECT_THAT(
      Paths(Record("--adapters=ompt", {OMPT_CLIENT}, {{"ROOFMARK_REGIONS", "*in Nested*,-*:43*"}})),
      ElementsAre("ompt.c:46 parallel in Nested()"));
  EXPECT_THAT(Paths(Record("--adapters=ompt", {OMPT_CLIENT}, {{"ROOFMARK_REGIONS", "-*in*"}})),
              ElementsAre());
}

TEST_F(Ompt, NoneIfOthersAreWanted) {
  EXPECT_THAT(Paths(Record("--adapters=itt", {OMPT_CLIENT})), ElementsAre());
}

TEST_F(Ompt, RuntimesWithoutIt) {
  EXPECT_THAT(Paths(Record("--adapters", {OMPT_LIBGOMP})), ElementsAre());
}

// Functions are those that the symbols name; a body that no symbol leads to has its address.
TEST_F(Ompt, WithoutDebugInformation) {
  const std::vector<std::string> paths = Paths(Record("--adapters=ompt", {OMPT_RELEASE}));
  EXPECT_EQ(paths.size(), 8u);
  EXPECT_THAT(paths, Contains(StartsWith("parallel in Sweep() at ompt_release+0x")));
  EXPECT_THAT(paths, Contains(StartsWith("teams at ompt_release+0x")))
      << "a call that ends its function";
  EXPECT_THAT(paths, Each(AllOf(HasSubstr(" at ompt_release+0x"), Not(HasSubstr("main")))));
}

// By hand, without the command.
TEST_F(Ompt, WithoutThePlugIn) {
  if (ROOFMARK_TEST_SANITIZED) GTEST_SKIP() << "the library of roofmark is not preloaded there";
  const std::string alone = directory_.File("libroofmark_adapters.so");
  std::filesystem::copy_file(ADAPTERS, alone);  // where no plug-in is
  ExpectConstructs(RecordPreloaded(LIBRARY ":" CONSTRUCTS ":" + alone, OMPT_CLIENT));
  EXPECT_THAT(Paths(RecordPreloaded(LIBRARY ":" CONSTRUCTS ":" + alone, OMPT_RELEASE)),
              Each(HasSubstr(" at ompt_release+0x")));
}

// Constructs are known by the places of the calls, and two that end their functions by their
// callers'.
TEST_F(Ompt, WithoutTheBodies) {
  if (ROOFMARK_TEST_SANITIZED) GTEST_SKIP() << "the library of roofmark is not preloaded there";
  const JobProfile job = RecordPreloaded(LIBRARY ":" ADAPTERS, OMPT_CLIENT);
  EXPECT_EQ(Value(job, kSweep, metric::kVisits), 3u);
  EXPECT_EQ(Value(job, kOwnThread, metric::kVisits), 1u);
}

// What executes a kernel of Kokkos is no construct of the program, if kernels are regions.
TEST_F(Ompt, KernelsOfKokkos) {
  EXPECT_THAT(Paths(Record("--adapters", {OMPT_CLIENT, "kernel"})),
              testing::UnorderedElementsAre("kernel", kSweep));
  EXPECT_THAT(Paths(Record("--adapters=ompt", {OMPT_CLIENT, "kernel"})), ElementsAre(kSweep));
}

TEST_F(Ompt, AsManyAsAreKept) {
  const JobProfile job = Record("--adapters=ompt", {OMPT_CLIENT, "deep"});
  uint64_t visits = 0;
  for (const std::string& path : Paths(job)) visits += Value(job, path, metric::kVisits);
  EXPECT_EQ(visits, 256u + 1u);
  EXPECT_EQ(Value(job, kSweep, metric::kVisits), 1u) << "after all have ended";
}

// Another tool that the program is linked with: told what it would be told, with data of its own.
// The runtime tells of each of the two teams, too.
TEST_F(Ompt, AnotherToolGoesOn) {
  ExpectConstructs(Record("--adapters=ompt", {OMPT_WITH_TOOL}));
  EXPECT_THAT(ended_.out, HasSubstr("tool: set 5 5 5, got 1\n"));
  EXPECT_THAT(ended_.out, HasSubstr("tool: 14 begun, 14 kept, tasks 1\n"));
}

TEST_F(Ompt, AToolThatRefuses) {
  ExpectConstructs(Record("--adapters=ompt", {OMPT_WITH_TOOL}, {{"REFUSES", "1"}}));
  EXPECT_THAT(ended_.out, HasSubstr("tool: told of 0, 0\n"));
}

TEST_F(Ompt, ToolsThatTheUserListsStayAlone) {
  const JobProfile job =
      Record("--adapters=ompt", {OMPT_CLIENT}, {{"OMP_TOOL_LIBRARIES", STAND_IN_OMPT}});
  EXPECT_THAT(Paths(job), ElementsAre());
  EXPECT_THAT(ended_.out, HasSubstr("tool: 14 begun, 14 kept"));
  EXPECT_THAT(ended_.err, test::Says(message::kAdapterVariableIsSet, "OMP_TOOL_LIBRARIES",
                                     STAND_IN_OMPT, "OMPT"));
}

TEST_F(Ompt, ToolsThatTheUserHasDisabled) {
  EXPECT_THAT(Paths(Record("--adapters=ompt", {OMPT_CLIENT}, {{"OMP_TOOL", "disabled"}})),
              ElementsAre());
  EXPECT_THAT(ended_.err,
              test::Says(message::kAdapterVariableIsSet, "OMP_TOOL", "disabled", testing::_));
  ExpectConstructs(Record("--adapters=ompt", {OMPT_CLIENT}, {{"OMP_TOOL", "enabled"}}));
  EXPECT_THAT(ended_.err, Not(HasSubstr("OMP_TOOL")));
}

}  // namespace
}  // namespace roofmark::test
