// SPDX-License-Identifier: BSD-3-Clause
//
// The crash matrix: ways to die x who dies x where x MPI. Every visit that had finished is
// recovered, and no other; those that were open are marked.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tuple>

#include "tests/mpi/launchers.h"
#include "tests/mpi/programs/dies.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::DeathRecord;
using test::Ended;
using test::kMpis;
using test::Mpi;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kRanks = 3;
constexpr uint64_t kRanksSeen = kRanks;

class CrashedJob {
 public:
  CrashedJob(const Mpi& mpi, const char* death, const char* who, const char* where) {
    const std::string record = directory_.File("record");
    const int fd = open(record.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(ftruncate(fd, test::kDeathRecordBytes), 0);
    records_ = static_cast<DeathRecord*>(
        mmap(nullptr, test::kDeathRecordBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    close(fd);
    ended_ = test::Run({mpi.launcher, "-n", std::to_string(kRanks),
                        std::string(PROGRAMS "/") + mpi.name + "/dies", death, who, where, record},
                       test::ForLaunchers({{"ROOFMARK_COLLECTOR", "timer"},
                                           {"ROOFMARK_OUTPUT", File("run.json")},
                                           {"ROOFMARK_SPOOL", File("spool")},
                                           // What a killed launcher leaves goes with the test.
                                           {"OMPI_MCA_btl_vader_backing_directory", File("")},
                                           {"OMPI_MCA_orte_tmpdir_base", File("")}}),
                       directory_.path(), /*seconds=*/60);
    EXPECT_THAT(ended_.err, testing::Not(HasSubstr("killed: time limit")));
    AwaitDeaths();
  }
  ~CrashedJob() { munmap(records_, test::kDeathRecordBytes); }

  std::string File(const std::string& name) const { return directory_.File(name); }
  const DeathRecord& record(int rank) const { return records_[rank]; }
  const std::string& err() const { return ended_.err; }

  JobProfile Recover() {
    const Ended recovered = test::Run({ROOFMARK, "recover", File("spool"), "-o", File("rec.json")});
    EXPECT_EQ(recovered.status, 0) << recovered.err << ended_.err;
    said_ = recovered.err;
    return test::ReadRoofline(File("rec.json")).job;
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

  test::TempDir directory_;
  DeathRecord* records_ = nullptr;
  Ended ended_;
  std::string said_;
};

uint64_t Sum(const CrashedJob& job, std::atomic<uint64_t> DeathRecord::*visits) {
  uint64_t sum = 0;
  for (int rank = 0; rank < kRanks; ++rank) sum += job.record(rank).*visits;
  return sum;
}

void ExpectAllVisits(const CrashedJob& crashed, const JobProfile& job) {
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

using Case = std::tuple<Mpi, const char*, const char*, const char*>;
class Crash : public testing::TestWithParam<Case> {};

TEST_P(Crash, FinishedVisitsAreRecovered) {
  const auto& [mpi, death, who, where] = GetParam();
  CrashedJob crashed(mpi, death, who, where);
  EXPECT_GT(Sum(crashed, &DeathRecord::died), 0u) << "nobody died";
  const bool in_region = std::string_view(where) == "in";
  const JobProfile job = crashed.Recover();
  ExpectAllVisits(crashed, job);
  // A rank that comes to the merge when another one is dead already writes its part instead.
  const bool merging = std::string_view(where) == "start";
  EXPECT_GE(job.run.recovered_ranks, merging ? 1 : kRanksSeen);
  ASSERT_EQ(job.paths.size(), 2u);
  for (const PathInfo& path : job.paths) {
    EXPECT_EQ(path.unfinished, in_region ? kRanksSeen : 0u) << path.path;
  }
  const uint64_t declared = static_cast<uint64_t>(job.At(1, metric::kDeclaredFlops).Sum());
  EXPECT_EQ(declared, 10 * Sum(crashed, &DeathRecord::inner));
  if (in_region) {
    EXPECT_THAT(job.run.warnings,
                Contains(HasSubstr("region \"outer/inner\" was not finished in ranks 0, 1, 2")));
  }
}

constexpr const char* kDeaths[] = {"kill", "segv",      "abort",   "exception",
                                   "exit", "mpi_abort", "launcher"};

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  const auto& [mpi, death, who, where] = info.param;
  return std::string(mpi.name) + "_" + death + "_" + who + "_" + where;
}

INSTANTIATE_TEST_SUITE_P(Matrix, Crash,
                         testing::Combine(testing::ValuesIn(kMpis), testing::ValuesIn(kDeaths),
                                          testing::Values("one", "all"),
                                          testing::Values("in", "between", "start")),
                         NameOf);

// Rank 0 dies while it writes: the others wait for the file and have given up nothing.
INSTANTIATE_TEST_SUITE_P(WhileWriting, Crash,
                         testing::Combine(testing::ValuesIn(kMpis), testing::ValuesIn(kDeaths),
                                          testing::Values("one"), testing::Values("write")),
                         NameOf);

// After that the file holds everything. Ranks that had not yet heard of it leave their spools.
class CrashAfterwards : public testing::TestWithParam<Case> {};
TEST_P(CrashAfterwards, TheFileIsThere) {
  const auto& [mpi, death, who, where] = GetParam();
  CrashedJob crashed(mpi, death, who, where);
  EXPECT_GT(Sum(crashed, &DeathRecord::died), 0u) << "nobody died";
  ExpectAllVisits(crashed, test::ReadRoofline(crashed.File("run.json")).job);
}
INSTANTIATE_TEST_SUITE_P(Matrix, CrashAfterwards,
                         testing::Combine(testing::ValuesIn(kMpis), testing::ValuesIn(kDeaths),
                                          testing::Values("all"), testing::Values("end")),
                         NameOf);

}  // namespace
}  // namespace roofmark
