// SPDX-License-Identifier: BSD-3-Clause
//
// A job of `dies` (programs/dies.cc) after its end, and what it had done.
#ifndef ROOFMARK_TESTS_MPI_CRASHED_JOB_H_
#define ROOFMARK_TESTS_MPI_CRASHED_JOB_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/mpi/launchers.h"
#include "tests/mpi/programs/dies.h"
#include "tests/support/process.h"
#include "tests/support/shared_file.h"

namespace roofmark::test {

inline constexpr int kRanks = 3;
inline constexpr uint64_t kRanksSeen = kRanks;

class CrashedJob {
 public:
  // `program` is "dies", or made from the same source.
  CrashedJob(const Mpi& mpi, const char* death, const char* who, const char* where,
             const Environment& extra = {}, const char* program = "dies") {
    Environment environment = {{"ROOFMARK_COLLECTOR", "timer"},
                               {"ROOFMARK_OUTPUT", File("run.json")},
                               {"ROOFMARK_SPOOL", File("spool")},
                               // What a killed launcher leaves goes with the test.
                               {"OMPI_MCA_btl_vader_backing_directory", File("")}};
    for (const auto& [name, value] : extra) environment[name] = value;
    std::vector<std::string> command = {mpi.launcher, "-n", std::to_string(kRanks)};
    // The CPUs of a virtual machine are not there to be bound to.
    if (mpi.IsOpenMpi()) command.insert(command.end(), {"--bind-to", "none"});
    command.insert(command.end(), {std::string(PROGRAMS "/") + mpi.name + "/" + program, death, who,
                                   where, File("record")});
    ended_ = Run(command, ForLaunchers(environment), directory_.path(), /*seconds=*/240);
    EXPECT_THAT(ended_.err, testing::Not(testing::HasSubstr("killed: time limit")));
    AwaitDeaths();
  }

  std::string File(const std::string& name) const { return directory_.File(name); }
  const DeathRecord& record(int rank) const { return records_[rank]; }
  const std::string& err() const { return ended_.err; }

  JobProfile Recover() {
    const Ended recovered = Run({ROOFMARK, "recover", File("spool"), "-o", File("rec.json")});
    EXPECT_EQ(recovered.status, 0) << recovered.err << ended_.err;
    said_ = recovered.err;
    return ReadRoofline(File("rec.json")).job;
  }
  const std::string& said() const { return said_; }

 private:
  // Where the launcher was killed its processes end later than it.
  void AwaitDeaths() const {
    for (int rank = 0; rank < kRanks; ++rank) {
      const auto pid = static_cast<pid_t>(records_[rank].pid.load());
      EXPECT_NE(pid, 0) << "rank " << rank << " never began";
      for (int i = 0; i < 400 && pid != 0 && kill(pid, 0) == 0; ++i) usleep(100'000);
    }
  }

  TempDir directory_;
  SharedFile shared_{File("record"), kDeathRecordBytes};
  const DeathRecord* const records_ = shared_.As<DeathRecord>();
  Ended ended_;
  std::string said_;
};

inline uint64_t Sum(const CrashedJob& job, std::atomic<uint64_t> DeathRecord::*visits) {
  uint64_t sum = 0;
  for (int rank = 0; rank < kRanks; ++rank) sum += job.record(rank).*visits;
  return sum;
}

inline void ExpectAllVisits(const CrashedJob& crashed, const JobProfile& job) {
  EXPECT_EQ(job.run.ranks, kRanksSeen);
  EXPECT_EQ(job.run.ranks_merged, kRanksSeen);
  ASSERT_EQ(job.paths.size(), 2u);
  const Cell& outer = job.At(0, metric::kVisits);
  const Cell& inner = job.At(1, metric::kVisits);
  EXPECT_EQ(static_cast<uint64_t>(outer.Sum()), Sum(crashed, &DeathRecord::outer));
  EXPECT_EQ(static_cast<uint64_t>(inner.Sum()), Sum(crashed, &DeathRecord::inner));
  EXPECT_EQ(outer.min, crashed.record(0).outer);
  EXPECT_EQ(outer.min, 20u);
  EXPECT_EQ(outer.max, crashed.record(kRanks - 1).outer);
  EXPECT_EQ(outer.max, 20u + kRanks - 1);
  EXPECT_EQ(inner.max, 3 * outer.max);
  EXPECT_GT(job.At(0, metric::kTimeNs).min, 0u);
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MPI_CRASHED_JOB_H_
