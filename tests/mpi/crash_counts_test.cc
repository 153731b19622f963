// SPDX-License-Identifier: BSD-3-Clause
//
// The crash matrix with counts, by pairs: the FLOPs of exactly the finished visits are recovered,
// from the virtual PMU however a rank dies. Under the counting engine they are recovered up to its
// last hand-over: of every end that Valgrind sees, or of some time in the last second before
// SIGKILL.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/mpi/crashed_job.h"

namespace roofmark {
namespace {

using test::CrashedJob;
using test::DeathRecord;
using test::Environment;
using test::ExpectAllVisits;
using test::kFlopsPerInner;
using test::kRanks;
using test::kRanksSeen;
using test::Mpi;
using test::Sum;

void ExpectAllFlops(const CrashedJob& crashed, const JobProfile& job) {
  for (size_t row = 0; row < job.paths.size(); ++row) {
    SCOPED_TRACE(job.paths[row].path);
    const Cell& flops = job.At(row, metric::kFlops);
    EXPECT_EQ(flops.ranks, kRanksSeen);
    EXPECT_EQ(static_cast<uint64_t>(flops.Sum()),
              kFlopsPerInner * Sum(crashed, &DeathRecord::inner));
    EXPECT_EQ(flops.min, kFlopsPerInner * crashed.record(0).inner);
    EXPECT_EQ(flops.max, kFlopsPerInner * crashed.record(kRanks - 1).inner);
    EXPECT_EQ(flops.max_rank, kRanksSeen - 1);
    EXPECT_TRUE(HasValue(Worst(flops.status_bits)));
  }
}

using Case = std::tuple<Mpi, const char*, const char*>;
std::string NameOf(const testing::TestParamInfo<Case>& info) {
  const auto& [mpi, death, where] = info.param;
  return std::string(mpi.name) + "_" + death + "_" + where;
}

#ifdef VPMU_MACHINES
class CrashCounted : public testing::TestWithParam<Case> {};
TEST_P(CrashCounted, CountsAreThoseOfTheFinishedVisits) {
  const auto& [mpi, death, where] = GetParam();
  const test::TempDir state;
  CrashedJob crashed(mpi, death, "all", where,
                     {{"ROOFMARK_COLLECTOR", "perf_event"},
                      {"VPMU_MACHINE", VPMU_MACHINES "/skx"},
                      {"VPMU_STATE", state.File("state")}},
                     "dies_counted");
  EXPECT_GT(Sum(crashed, &DeathRecord::died), 0u) << "nobody died";
  const JobProfile job = crashed.Recover();
  ExpectAllVisits(crashed, job);
  ExpectAllFlops(crashed, job);
}
INSTANTIATE_TEST_SUITE_P(Matrix, CrashCounted,
                         testing::ValuesIn(test::Pairs(test::AllMpis(),
                                                       std::vector{"kill", "segv", "abort",
                                                                   "exception", "exit", "mpi_abort",
                                                                   "launcher"},
                                                       std::vector{"in", "between", "start"})),
                         NameOf);
#endif

#ifdef WITH_COUNTING
class CrashUnderEngine : public testing::TestWithParam<Case> {};
TEST_P(CrashUnderEngine, CountsAreThoseOfTheLastHandOver) {
  const auto& [mpi, death, where] = GetParam();
  CrashedJob crashed(
      mpi, death, "all", where,
      {{"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_COUNT", "flops"}, {"DIES_RESTED", "on"}});
  EXPECT_GT(Sum(crashed, &DeathRecord::died), 0u) << "nobody died";
  const JobProfile job = crashed.Recover();
  EXPECT_EQ(job.run.ranks_merged, kRanksSeen);
  ASSERT_EQ(job.paths.size(), 2u);
  EXPECT_EQ(static_cast<uint64_t>(job.At(1, metric::kVisits).Sum()),
            Sum(crashed, &DeathRecord::inner));
  ExpectAllFlops(crashed, job);
}
INSTANTIATE_TEST_SUITE_P(
    Matrix, CrashUnderEngine,
    testing::ValuesIn(test::Pairs(test::AllMpis(), std::vector{"kill", "segv", "exit", "mpi_abort"},
                                  std::vector{"in", "between"})),
    NameOf);
#endif

}  // namespace
}  // namespace roofmark
