// SPDX-License-Identifier: BSD-3-Clause
//
// Real jobs under real launchers, on every MPI that was found: what the merged file says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "lib/core/messages/mpi.h"
#include "lib/core/messages/recording.h"
#include "lib/core/node_identity.h"
#include "lib/core/run_queue.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;
using test::kMpis;
using test::Mpi;
using test::Says;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Jobs : public testing::TestWithParam<Mpi> {
 protected:
  std::string Program(const std::string& name) const {
    return std::string(PROGRAMS "/") + GetParam().name + "/" + name;
  }
  bool IsOpenMpi() const { return GetParam().IsOpenMpi(); }

  Ended Launch(std::vector<std::string> arguments, Environment environment = {}) {
    arguments.insert(arguments.begin(), GetParam().launcher);
    environment.try_emplace("ROOFMARK_COLLECTOR", "timer");
    environment.try_emplace("ROOFMARK_OUTPUT", directory_.File("run.json"));
    return test::Run(arguments, test::ForLaunchers(environment), directory_.path(),
                     /*seconds=*/240);
  }

  JobProfile Merged(int ranks, const std::string& program, std::vector<std::string> arguments = {},
                    Environment environment = {}) {
    std::vector<std::string> command = {"-n", std::to_string(ranks), Program(program)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Ended ended = Launch(command, std::move(environment));
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.out, "done\n");
    EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("run.json")) << ended.err;
    JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
    std::remove(directory_.File("run.json").c_str());
    EXPECT_EQ(job.run.ranks, static_cast<uint32_t>(ranks));
    EXPECT_EQ(job.run.ranks_merged, static_cast<uint32_t>(ranks));
    return job;
  }

  // Rank r visits "common" r + 1 times.
  void ExpectCommon(const JobProfile& job, uint32_t ranks) {
    const int path = job.FindPath("common");
    ASSERT_GE(path, 0);
    const Cell& visits = job.At(static_cast<size_t>(path), metric::kVisits);
    EXPECT_EQ(visits.ranks, ranks);
    EXPECT_EQ(visits.SumAsDouble(), ranks * (ranks + 1) / 2.0);
    EXPECT_EQ(visits.min, 1u);
    EXPECT_EQ(visits.min_rank, 0u);
    EXPECT_EQ(visits.max, ranks);
    EXPECT_EQ(visits.max_rank, ranks - 1);
    EXPECT_DOUBLE_EQ(visits.mean, (ranks + 1) / 2.0);
    EXPECT_NEAR(visits.StdDev(), std::sqrt((ranks * ranks - 1) / 12.0), 1e-9);
  }

  test::TempDir directory_;
};

// What MPI's own doings are nothing to is on one of them.
class JobsOnOpenMpi : public Jobs {};
class JobsOnMpich : public Jobs {};

// Two MPI libraries on one machine: each process computes everything, alone.
TEST_P(Jobs, OfAProgramOfAnotherMpiAreNamed) {
  for (const Mpi& other : kMpis) {
    if (other.name == std::string_view(GetParam().name)) continue;
    const Ended ended =
        test::Run({ROOFMARK, "run", "--no-machine", "--no-report", "--work", "never", "-o",
                   "run.json", "--", other.launcher, "-n", "2", Program("job")},
                  test::ForLaunchers({}), directory_.path(), /*seconds=*/240);
    EXPECT_EQ(ended.status, 1) << ended.err;
    EXPECT_THAT(ended.err, Says(message::kOtherMpi, _, "2", _));
    const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
    EXPECT_EQ(job.run.ranks, 1u);
    EXPECT_TRUE(job.run.passes[0].facts.contains(kOtherMpiFact));
  }
}

TEST_P(Jobs, MergeEveryRank) {
  for (int ranks : {1, 2, 5}) {
    const JobProfile job = Merged(ranks, "job");
    ExpectCommon(job, static_cast<uint32_t>(ranks));
    EXPECT_EQ(job.FindPath("after"), -1) << "visits after MPI_Finalize come too late";
    EXPECT_THAT(job.run.mpi,
                testing::MatchesRegex(IsOpenMpi() ? "Open MPI [^\t]*" : "MPICH Version: [0-9.]+"));
    EXPECT_EQ(job.run.hosts[0].ranks, static_cast<uint32_t>(ranks));
  }
}

// Each rank says its own, and the file has those of the rank that wrote it.
TEST_P(Jobs, RegionsAfterMpiFinalizeAreCounted) {
  const Ended late = Launch({"-n", "2", Program("job"), "common"});
  EXPECT_THAT(late.err, Says(message::kRegionsAfterEnd, "2", "rank 0", "after (2)"));
  EXPECT_THAT(late.err, Says(message::kRegionsAfterEnd, "2", "rank 1", "after (2)"));
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("run.json"));
  EXPECT_THAT(test::ReadRoofline(directory_.File("run.json")).job.run.warnings,
              ElementsAre(Says(message::kRegionsAfterEnd, "2", "rank 0", "after (2)")));
  const Ended none = Launch({"-n", "2", Program("job"), "nothing"});
  EXPECT_THAT(none.err, testing::Not(Says(message::kRegionsAfterEnd, _, _, _)));
}

// Quiet is not the same as being read by `roofmark run`.
TEST_P(Jobs, RegionsAfterMpiFinalizeAreSaidOfAQuietJob) {
  const Ended late = Launch({"-n", "2", Program("job"), "common"}, {{"ROOFMARK_QUIET", "1"}});
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("run.json"));
  const auto of_first = Says(message::kRegionsAfterEnd, "2", "rank 0", "after (2)");
  EXPECT_THAT(late.err, of_first);
  EXPECT_THAT(test::ReadRoofline(directory_.File("run.json")).job.run.warnings,
              ElementsAre(of_first));
}

TEST_P(Jobs, RegionsAfterMpiFinalizeAreInTheirParts) {
  Launch({"-n", "2", Program("job"), "late"}, {{"ROOFMARK_MERGE", "never"}});
  EXPECT_THAT(test::ReadRoofline(directory_.File("run.part1.json")).job.run.warnings,
              testing::Contains(Says(message::kRegionsAfterEnd, "3", "rank 1", "behind (3)")));
}

// The command has what all ranks left, also where the one that wrote the file left nothing.
TEST_P(Jobs, RegionsAfterMpiFinalizeAreInTheFileOfTheCommand) {
  const auto run = [&](const char* life) {
    const Ended ended =
        test::Run({ROOFMARK, "run", "--no-machine", "--no-report", "--work", "never", "--force",
                   "-o", "run.json", "--", GetParam().launcher, "-n", "2", Program("job"), life},
                  test::ForLaunchers({}), directory_.path(), /*seconds=*/240);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("run.json"));
    return std::pair(ended.err, test::ReadRoofline(directory_.File("run.json")).job.run.warnings);
  };
  const auto [said, warnings] = run("common");
  const auto both = Says(message::kRegionsAfterEnd, "4", "2 of 2 ranks", "after (4)");
  EXPECT_THAT(said, both);
  EXPECT_THAT(warnings, ElementsAre(both));
  EXPECT_THAT(run("late").second,
              ElementsAre(Says(message::kRegionsAfterEnd, "3", "rank 1", "behind (3)")));
}

TEST_P(Jobs, ARegionAroundMpiFinalizeIsNamed) {
  const JobProfile job = Merged(2, "job", {"over"});
  EXPECT_EQ(job.At(0, metric::kVisits).SumAsDouble(), 2);
  EXPECT_THAT(job.run.warnings, ElementsAre(Says(message::kOpenInFinalize, "over")));
}

TEST_P(Jobs, InitThread) { ExpectCommon(Merged(3, "job", {"thread"}), 3); }

TEST_P(JobsOnOpenMpi, RegionThatOneRankEnters) {
  const JobProfile job = Merged(4, "job", {"one"});
  ASSERT_EQ(job.paths.size(), 1u);
  const Cell& visits = job.At(0, metric::kVisits);
  EXPECT_EQ(visits.ranks, 1u) << "ranks that were never there are no minimum";
  EXPECT_EQ(visits.min, 3u);
  EXPECT_EQ(visits.max_rank, 3u);
}

TEST_P(JobsOnMpich, NoRegionAnywhere) {
  const Ended ended = Launch({"-n", "2", Program("job"), "nothing"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, Says(message::kNoRegionEntered));
}

TEST_P(JobsOnOpenMpi, DifferentRegionsOnDifferentRanks) {
  const JobProfile job = Merged(4, "job", {"different"});
  ASSERT_EQ(job.paths.size(), 2u);
  ASSERT_GE(job.FindPath("even"), 0);
  ASSERT_GE(job.FindPath("odd"), 0);
  const Cell& even = job.At(static_cast<size_t>(job.FindPath("even")), metric::kVisits);
  const Cell& odd = job.At(static_cast<size_t>(job.FindPath("odd")), metric::kVisits);
  EXPECT_EQ(even.SumAsDouble(), 1 + 3);
  EXPECT_EQ(odd.SumAsDouble(), 2 + 4);
  EXPECT_EQ(odd.min_rank, 1u);
}

TEST_P(JobsOnMpich, DifferentDepths) {
  const JobProfile job = Merged(4, "job", {"tree"});
  ASSERT_EQ(job.paths.size(), 4u);
  EXPECT_EQ(job.At(static_cast<size_t>(job.FindPath("root/d0")), metric::kVisits).ranks, 3u);
  EXPECT_EQ(job.At(static_cast<size_t>(job.FindPath("root/d0/d1/d2")), metric::kVisits).min_rank,
            3u);
}

TEST_P(JobsOnOpenMpi, RegionsAreChosenOnEveryRank) {
  for (const char* regions : {"d0,d1", "root/*"}) {
    const JobProfile job = Merged(2, "job", {"tree"}, {{"ROOFMARK_REGIONS", regions}});
    ASSERT_EQ(job.paths.size(), 1u) << regions;
    EXPECT_EQ(job.paths[0].path, "d0") << "of rank 1, whose region around it is left out";
    EXPECT_EQ(job.At(0, metric::kVisits).min_rank, 1u);
    EXPECT_EQ(job.run.passes.at(0).settings.at("regions"), regions);
    EXPECT_THAT(job.run.warnings, ElementsAre(Says(message::kAllRegionsLeftOut, _,
                                                   "a process of the program", "root", "")))
        << "rank 0 was in no other one";
  }
  for (const char* regions : {"-commonly", "-other/common"}) {
    ExpectCommon(Merged(2, "job", {}, {{"ROOFMARK_REGIONS", regions}}), 2);
  }
  const JobProfile job = Merged(2, "job", {}, {{"ROOFMARK_REGIONS", "-common,-after"}});
  EXPECT_TRUE(job.paths.empty());
  EXPECT_THAT(job.run.warnings, ElementsAre(HasSubstr("entered: common;")));
}

TEST_P(Jobs, RegionAroundInit) {
  const JobProfile job = Merged(2, "job", {"around"});
  EXPECT_EQ(job.At(0, metric::kVisits).SumAsDouble(), 2);
}

TEST_P(JobsOnMpich, WhatRecordingCostStandsInTheFile) {
  const JobProfile job = Merged(3, "job");
  for (const Cell* cost : CellsOf(job.run.cost)) {
    EXPECT_EQ(cost->ranks, 3u);
    EXPECT_GT(cost->min, 0u);
  }
  EXPECT_EQ(job.run.kernel.system_ns.ranks, 3u);
  EXPECT_EQ(job.run.kernel.page_faults.ranks, 3u);
  EXPECT_GT(job.run.kernel.page_faults.min, 0u);
  EXPECT_EQ(job.run.kernel.resident_bytes.ranks, 3u);
  EXPECT_GT(job.run.kernel.resident_bytes.min, uint64_t{1} << 20);
  EXPECT_LT(job.run.kernel.resident_bytes.max, uint64_t{1} << 34);
  EXPECT_EQ(job.run.kernel.clock_khz.ranks, 3u);
  EXPECT_GT(job.run.kernel.clock_khz.max, 200'000u);
  EXPECT_LT(job.run.kernel.clock_khz.max, 10'000'000u);
  EXPECT_EQ(job.run.kernel.run_queue_ns.ranks, ReadRunQueueWaits().empty() ? 0u : 3u);
  EXPECT_EQ(job.run.hosts[0].cpu, ReadNodeIdentity().cpu_model);
  const Cell& markers = job.At(0, metric::kMarkerNs);
  EXPECT_EQ(markers.ranks, 3u);
  const Spread& times = job.SpreadAt(0, Drawn::kTime);
  ASSERT_EQ(times.ranks, 3u);
  EXPECT_EQ(times.highest[0].rank, job.At(0, metric::kTimeNs).max_rank);
  EXPECT_EQ(times.highest[0].value, job.At(0, metric::kTimeNs).max);
  EXPECT_EQ(job.rank_hosts.at(times.highest[0].rank), job.run.hosts[0].name);
}

// A region around MPI_Init whose start-up takes a second of ours.
TEST_P(JobsOnOpenMpi, StartUpIsNotTheRegions) {
  const JobProfile job =
      Merged(1, "job", {"around"}, {{"LD_PRELOAD", Program("libslow_dlopen.so")}});
  const double startup_s = static_cast<double>(job.run.cost.startup_ns.max) * 1e-9;
  const double region_s = static_cast<double>(job.At(0, metric::kTimeNs).max) * 1e-9;
  EXPECT_GE(startup_s, 1.0);
  EXPECT_LE(region_s + startup_s, job.run.passes[0].wall_s + 0.3);
}

TEST_P(Jobs, FinalizeNeverCalledWritesParts) {
  std::vector<std::string> command = {"-n", "2", Program("job"), "unfinished"};
  // Launchers kill the others as soon as one process ends without MPI_Finalize, unless told.
  if (!IsOpenMpi()) command.insert(command.begin(), "-disable-auto-cleanup");
  const Ended ended = Launch(command, {{"OMPI_MCA_orte_allowed_exit_without_sync", "1"}});
  EXPECT_THAT(test::ListFiles(directory_.path()),
              UnorderedElementsAre("run.part0.json", "run.part1.json"));
  EXPECT_THAT(ended.err,
              HasSubstr(test::LineOf(message::kPartsToJoin, InWords(message::kFinalizeNotCalled))));
  JobProfile job = test::ReadRoofline(directory_.File("run.part0.json")).job;
  MergeProfiles(job, test::ReadRoofline(directory_.File("run.part1.json")).job);
  ExpectCommon(job, 2);
}

TEST_P(Jobs, MpiBeforeRoofmarkOnTheLinkLineWritesParts) {
  const Ended ended = Launch({"-n", "2", Program("job_mpi_first")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(test::ListFiles(directory_.path()),
              UnorderedElementsAre("run.part0.json", "run.part1.json"));
  EXPECT_THAT(ended.err, Says(message::kInitNotSeen));
  JobProfile job = test::ReadRoofline(directory_.File("run.part0.json")).job;
  MergeProfiles(job, test::ReadRoofline(directory_.File("run.part1.json")).job);
  ExpectCommon(job, 2);
}

TEST_P(Jobs, SecondProgramWithoutRoofmarkDoesNotHang) {
  for (const char* first : {"job", "plain"}) {
    const Ended ended = Launch(
        {"-n", "2", Program(first), ":", "-n", "1", Program(first[0] == 'j' ? "plain" : "job")});
    EXPECT_EQ(ended.status, 0) << ended.err;
    const size_t carriers = first[0] == 'j' ? 2 : 1;
    EXPECT_EQ(test::ListFiles(directory_.path()).size(), carriers) << ended.err;
    for (const std::string& name : test::ListFiles(directory_.path())) {
      EXPECT_THAT(name, HasSubstr("run.part"));
      std::remove(directory_.File(name).c_str());
    }
  }
}

TEST_P(Jobs, TwoProgramsWithRoofmarkAreMergedWhole) {
  const Ended ended =
      Launch({"-n", "1", Program("job"), ":", "-n", "2", Program("job"), "different"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_EQ(job.paths.size(), 3u);
  EXPECT_EQ(job.run.ranks_merged, 3u);
}

TEST_P(Jobs, OtherToolsKeepWorking) {
  for (const std::string& order :
       {Program("libpmpi_tool.so"), Program("libpmpi_tool.so") + ":" LIBRARY,
        LIBRARY ":" + Program("libpmpi_tool.so")}) {
    const Ended ended = Launch({"-n", "2", "env", "LD_PRELOAD=" + order, Program("job")});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("tool: init\n")) << order;
    EXPECT_THAT(ended.err, HasSubstr("tool: finalize\n")) << order;
    const std::vector<std::string> files = test::ListFiles(directory_.path());
    EXPECT_THAT(files, ElementsAre("run.json")) << order;
    for (const std::string& name : files) std::remove(directory_.File(name).c_str());
  }
}

// Where the launcher has no store that can be used, processes that seem to stand on several nodes
// are not waited for, unless the user says so.
TEST_P(Jobs, OtherNodesAreNotWaitedFor) {
  const char* local_ranks = IsOpenMpi() ? "OMPI_COMM_WORLD_LOCAL_SIZE=1" : "MPI_LOCALNRANKS=1";
  const char* local_rank = IsOpenMpi() ? "OMPI_COMM_WORLD_LOCAL_RANK=0" : "MPI_LOCALRANKID=0";
  const std::vector<std::string> no_store =
      IsOpenMpi() ? std::vector<std::string>{"--mca", "pmix_base_collect_data", "0"}
                  : std::vector<std::string>{"-pmi-port"};
  std::vector<std::string> command = {"-n", "2", "env", local_ranks, local_rank, Program("job")};
  command.insert(command.begin(), no_store.begin(), no_store.end());
  const Ended parts = Launch(command);
  EXPECT_EQ(parts.status, 0) << parts.err;
  EXPECT_THAT(parts.err,
              IsOpenMpi() ? Says(message::kOtherNodesNotSeen) : Says(message::kLauncherDoesNotSay));
  EXPECT_THAT(test::ListFiles(directory_.path()),
              UnorderedElementsAre("run.part0.json", "run.part1.json"));
  const Ended merged = Launch(command, {{"ROOFMARK_MERGE", "always"}});
  EXPECT_EQ(merged.status, 0) << merged.err;
  ExpectCommon(test::ReadRoofline(directory_.File("run.json")).job, 2);
}

TEST_P(Jobs, Fortran) {
  for (const char* program : {"job_f08", "job_mpi", "job_mpif"}) {
    if (access(Program(program).c_str(), X_OK) != 0) GTEST_SKIP() << "no Fortran side of this MPI";
    ExpectCommon(Merged(3, program), 3);
  }
}

TEST_P(JobsOnOpenMpi, UnmodifiedPythonWithThePreloadedLibrary) {
  if (!IsOpenMpi()) GTEST_SKIP() << "Debian's mpi4py is built for Open MPI";
  if (test::Run({"/usr/bin/python3", "-c", "import mpi4py.MPI"},
                {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}})
          .status != 0) {
    GTEST_SKIP() << "mpi4py is not installed";
  }
  const Ended ended =
      Launch({"-n", "2", "-x", "LD_PRELOAD=" LIBRARY, "/usr/bin/python3", SOURCES "/preloaded.py"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.out, "done\n");
  ExpectCommon(test::ReadRoofline(directory_.File("run.json")).job, 2);
}

#ifdef WITH_COUNTING
TEST_P(JobsOnMpich, CountingNeedsNoOtherLaunchLine) {
  const JobProfile job = Merged(2, "job", {}, {{"ROOFMARK_COLLECTOR", "counting"}});
  ExpectCommon(job, 2);
  EXPECT_EQ(job.run.passes[0].collector, "counting");
  EXPECT_GT(job.At(0, metric::kInstructions).min, 0u);
}
#endif

INSTANTIATE_TEST_SUITE_P(Mpi, Jobs, testing::ValuesIn(kMpis),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, JobsOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, JobsOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace roofmark
