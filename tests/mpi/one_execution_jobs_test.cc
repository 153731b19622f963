// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark run --one-execution` of real jobs: all ranks take the same turns, so that none waits in
// a collective for one that never comes, and what is counted is that of each rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/command_run.h"
#include "tests/mpi/mpi_jobs.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::HasSubstr;

constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

class OneExecutionJobs : public test::MpiJobs {
 protected:
  std::vector<std::string> Job() const {
    std::vector<std::string> job = {GetParam().launcher, "-n", "2"};
    if (IsOpenMpi()) job.insert(job.end(), {"--bind-to", "none"});
    job.push_back(Program("turns"));
    return job;
  }
  Ended Run(const std::vector<std::string>& command) {
    // The first visit, which is not counted, would be the one that looks functions up.
    return test::Run(command, test::ForLaunchers({{"LD_BIND_NOW", "1"}}), directory_.path(),
                     kSeconds);
  }
  Ended RunOnce(const std::vector<std::string>& more) {
    std::vector<std::string> command = {ROOFMARK, "run",      "--one-execution", "--no-machine",
                                        "-o",     "run.json", "--force"};
    command.insert(command.end(), more.begin(), more.end());
    command.emplace_back("--");
    const std::vector<std::string> job = Job();
    command.insert(command.end(), job.begin(), job.end());
    const Ended ended = Run(command);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return ended;
  }
  // Tables are as wide as a terminal.
  static std::string Unwrapped(const std::string& text) {
    std::string line;
    for (const char each : text) {
      const bool space = each == ' ' || each == '\n';
      if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : each;
    }
    return line;
  }
  static void ExpectReport(const Ended& once) {
    const std::string report = Unwrapped(once.out);
    EXPECT_THAT(report, HasSubstr("visits took turns (as on rank 0): regions timed and counted"));
    EXPECT_THAT(report, HasSubstr("scaled to all visits: solve/"));
    EXPECT_THAT(report, HasSubstr("visited too seldom to be counted: solve, solve/check"));
    EXPECT_THAT(once.err, HasSubstr("visits are timed or counted, in turns"));
    EXPECT_THAT(once.err, test::Says(message::kNoCountsInTurns, "solve, solve/check"));
  }
  static Status StatusOf(const JobProfile& job, const std::string& path, MetricId metric) {
    return Worst(At(job, path, metric).status_bits);
  }
};

// What MPI's own doings are nothing to is on one of them.
class OneExecutionJobsOnMpich : public OneExecutionJobs {};

TEST_P(OneExecutionJobs, EachRanksFlopsAreExactAndTheReportSaysWhatIsScaled) {
  const Ended once = RunOnce({});
  ExpectReport(once);
  const JobProfile job = Read("run.json");
  EXPECT_EQ(job.run.passes.size(), 1u);
  EXPECT_EQ(job.run.ranks_merged, 2u);
  // What MPI adds up is no work of the region.
  const auto expect_adds = [&](const std::string& path, uint64_t rank0, uint64_t rank1) {
    SCOPED_TRACE(path);
    EXPECT_EQ(At(job, path, kAdds).min, rank0);
    EXPECT_EQ(At(job, path, kAdds).max, rank1);
    EXPECT_EQ(StatusOf(job, path, kAdds), Status::kScaled);
  };
  expect_adds("solve/step", 60 * (20000 + 101), 60 * (40000 + 101));
  expect_adds("solve/step/halo", 60 * 101, 60 * 101);
  expect_adds("solve/own", 10 * 500, 20 * 500);
  EXPECT_EQ(At(job, "solve/seldom", kAdds).Sum(), 2u * 3 * 100);
  EXPECT_EQ(At(job, "solve/step", metric::kVisits).Sum(), 120u);
  EXPECT_EQ(At(job, "solve/own", metric::kVisits).min, 10u);
  EXPECT_EQ(At(job, "solve/own", metric::kVisits).max, 20u);
  for (const char* path : {"solve/step", "solve/step/halo", "solve/own"}) {
    EXPECT_EQ(StatusOf(job, path, metric::kTimeNs), Status::kScaled) << path;
  }
  // Visited once, both are timed and not counted.
  for (const char* path : {"solve", "solve/check"}) {
    EXPECT_EQ(StatusOf(job, path, kAdds), Status::kUnsupported) << path;
    EXPECT_EQ(At(job, path, metric::kTimedVisits).Sum(), 2u) << path;
  }
  // A few visits that waited have no reliable time; the other regions have more visits, or no MPI
  // inside. Another part may follow, of regions whose visits differ, as on a busy machine.
  EXPECT_THAT(job.run.passes.at(0).facts.at(kTurnsFact) + ";",
              HasSubstr("can have waited for a rank that was counted: solve/seldom;"));
}

// All that is missing is counted by a second one, in all visits.
TEST_P(OneExecutionJobsOnMpich, TheOutputIsTheJobsAndASecondExecutionCountsTheSame) {
  const Ended native = Run(Job());
  ASSERT_EQ(native.status, 0) << native.err;
  EXPECT_EQ(RunOnce({"--no-report"}).out, native.out);
  const JobProfile one = Read("run.json");
  RunOnce({"--no-report", "--work", "always", "--count", "flops", "--engine", "native"});
  const JobProfile two = Read("run.json");
  ASSERT_EQ(two.run.passes.size(), 2u);
  for (const char* path : {"solve/step", "solve/step/halo", "solve/own"}) {
    EXPECT_EQ(At(one, path, kAdds).Sum(), At(two, path, kAdds).Sum()) << path;
    EXPECT_EQ(StatusOf(two, path, kAdds), Status::kMeasured) << path;
  }
  EXPECT_EQ(StatusOf(two, "solve", kAdds), Status::kMeasured);
}

INSTANTIATE_TEST_SUITE_P(Mpi, OneExecutionJobs, testing::ValuesIn(test::kMpis), test::NameOf);
INSTANTIATE_TEST_SUITE_P(Mpi, OneExecutionJobsOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         test::NameOf);

}  // namespace
}  // namespace roofmark
