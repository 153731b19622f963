// SPDX-License-Identifier: BSD-3-Clause
//
// Time inside MPI: charged to the right region, once, in C and by all of Fortran's interfaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/whole.h"
#include "tests/mpi/mpi_jobs.h"
#include "tests/support/clocks.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::HasSubstr;

class MpiWait : public test::MpiJobs {
 protected:
  JobProfile Preloaded(const std::string& program) {
    const Ended ended = Launch({"-n", "2", "env", "LD_PRELOAD=" WAIT_LIBRARY, Program(program)});
    EXPECT_EQ(ended.status, 0) << ended.err;
    return Read("run.json");
  }

  Ended RunByCommand(const std::vector<std::string>& options,
                     const std::vector<std::string>& program) {
    std::vector<std::string> command = {ROOFMARK,   "run",         "--no-machine", "-o",
                                        "run.json", "--collector", "timer"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back("--");
    command.insert(command.end(), program.begin(), program.end());
    return test::Run(command, test::ForLaunchers({}), directory_.path(), kSeconds);
  }

  // Rank 1 works for 100 ms and then waits for rank 0, which works for 200 ms more (wait_turns.h).
  // That a wait counts twice would leave rank 1 no time outside.
  void ExpectWaiting(const JobProfile& job, const std::string& path) {
    const Cell time = At(job, path, metric::kTimeNs), inside = At(job, path, metric::kMpiNs);
    const Cell outside = At(job, path, metric::kOutsideMpiNs);
    EXPECT_EQ(inside.max_rank, 1u) << path;
    EXPECT_GT(inside.max, 100'000'000u) << path;
    EXPECT_EQ(outside.max_rank, 0u) << path;
    if (test::TicksAgree()) {
      EXPECT_GT(outside.min, 99'000'000u) << path;
    }
    EXPECT_EQ(inside.Sum() + outside.Sum(), time.Sum()) << path;
  }
};

// What MPI's own doings are nothing to is on one of them.
class MpiWaitOnOpenMpi : public MpiWait {};
class MpiWaitOnMpich : public MpiWait {};

TEST_P(MpiWait, EveryKindOfCallInItsRegion) {
  const JobProfile job = Preloaded("wait");
  for (const char* region : {"recv", "sendrecv", "waitall", "allreduce", "alltoallv"}) {
    ExpectWaiting(job, std::string("all/") + region);
  }
  ExpectWaiting(job, "on a thread");
  // Rank 1 waits in all of them.
  EXPECT_GT(At(job, "all", metric::kMpiNs).max, 5 * 100'000'000u);
  EXPECT_EQ(job.sources[metric::kMpiNs].origin, "mpi_wait");
  EXPECT_EQ(job.sources[metric::kMpiNs].status, Status::kMeasured);
}

// Outside of its regions the program calls nothing else that the library sees.
TEST_P(MpiWait, InitialisingIsTimeInsideMpiOnce) {
  for (const char* program : {"wait", "wait_mpif", "wait_f08"}) {
    if (!Has(program)) continue;
    SCOPED_TRACE(program);
    const JobProfile job = Preloaded(program);
    ASSERT_FALSE(job.whole.empty());
    const auto outside = [&job](MetricId metric) {
      return job.whole.At(static_cast<size_t>(WholeRow::kOutside), metric);
    };
    EXPECT_EQ(outside(metric::kMpiNs).ranks, 2u);
    EXPECT_GT(outside(metric::kMpiNs).min, 500'000u);
    EXPECT_EQ(outside(metric::kMpiNs).Sum() + outside(metric::kOutsideMpiNs).Sum(),
              outside(metric::kTimeNs).Sum());
    RemoveFiles();
  }
}

TEST_P(MpiWait, Fortran) {
  for (const char* program : {"wait_mpif", "wait_mpi", "wait_f08"}) {
    if (!Has(program)) GTEST_SKIP() << "no Fortran side of this MPI";
    SCOPED_TRACE(program);
    const JobProfile job = Preloaded(program);
    for (const char* region : {"barrier", "recv"}) ExpectWaiting(job, region);
    RemoveFiles();
  }
}

TEST_P(MpiWait, LinkedBesideUs) {
  const Ended ended = Launch({"-n", "2", Program("wait_linked")});
  ASSERT_EQ(ended.status, 0) << ended.err;
  ExpectWaiting(Read("run.json"), "all/allreduce");
}

TEST_P(MpiWaitOnOpenMpi, UnknownWithoutTheLibrary) {
  const Ended ended = Launch({"-n", "2", Program("wait")});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = Read("run.json");
  EXPECT_EQ(At(job, "all/recv", metric::kMpiNs).ranks, 0u);
  EXPECT_EQ(job.sources[metric::kMpiNs].status, Status::kUnsupported);
  EXPECT_THAT(job.sources[metric::kMpiNs].reason,
              HasSubstr("`roofmark run` without `--no-mpi-wait`"));
}

// A program that knows nothing of roofmark, and one that is off.
TEST_P(MpiWaitOnMpich, HarmlessWhereNothingRecords) {
  for (const std::vector<std::string>& program :
       {std::vector<std::string>{Program("plain")},
        std::vector<std::string>{"env", "ROOFMARK=off", Program("wait")}}) {
    std::vector<std::string> command = {"-n", "2", "env", "LD_PRELOAD=" WAIT_LIBRARY};
    command.insert(command.end(), program.begin(), program.end());
    const Ended ended = Launch(command);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.out + ended.err, "");
    EXPECT_THAT(Files(), testing::IsEmpty());
  }
}

TEST_P(MpiWait, OtherToolsKeepWorking) {
  const Ended ended =
      Launch({"-n", "2", "env", "LD_PRELOAD=" WAIT_LIBRARY ":" + Program("libpmpi_tool.so"),
              Program("wait")});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("tool: recv\n")) << "it stands behind ours, and is called";
  EXPECT_THAT(ended.err, HasSubstr("tool: finalize\n"));
  ExpectWaiting(Read("run.json"), "all/recv");
}

TEST_P(MpiWaitOnOpenMpi, ByTheCommand) {
  const Ended ended = RunByCommand({}, {GetParam().launcher, "-n", "2", Program("wait")});
  ASSERT_EQ(ended.status, 0) << ended.err;
  ExpectWaiting(Read("run.json"), "all/recv");
  EXPECT_THAT(ended.out, HasSubstr("inside MPI: "));
}

TEST_P(MpiWaitOnMpich, NotByTheCommandIfUnwanted) {
  const Ended ended =
      RunByCommand({"--no-mpi-wait"}, {GetParam().launcher, "-n", "2", Program("wait")});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(At(Read("run.json"), "all/recv", metric::kMpiNs).ranks, 0u);
}

// As Python with mpi4py opens it: no other library sees it.
TEST_P(MpiWait, LibraryThatWasOpenedLocally) {
  ExpectWaiting(Preloaded("wait_opened"), "barrier");
  const Ended off = Launch(
      {"-n", "2", "env", "ROOFMARK=off", "LD_PRELOAD=" WAIT_LIBRARY, Program("wait_opened")});
  EXPECT_EQ(off.status, 0) << off.err;
}

// Without MPI nothing is known of it, rather than that none of the time is inside.
TEST_P(MpiWaitOnOpenMpi, ProgramWithoutMpi) {
  const Ended ended = RunByCommand({}, {Program("wait_none")});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = Read("run.json");
  EXPECT_EQ(At(job, "alone", metric::kTimeNs).ranks, 1u);
  EXPECT_EQ(At(job, "alone", metric::kMpiNs).ranks, 0u);
  EXPECT_THAT(job.sources[metric::kMpiNs].reason, HasSubstr("used no MPI"));
}

INSTANTIATE_TEST_SUITE_P(Mpi, MpiWait, testing::ValuesIn(test::kMpis), test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, MpiWaitOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, MpiWaitOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         test::NameOf);

}  // namespace
}  // namespace roofmark
