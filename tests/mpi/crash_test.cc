// SPDX-License-Identifier: BSD-3-Clause
//
// The crash matrix: ways to die, who dies, where, and MPI, by pairs. Every visit that had finished
// is recovered, and no other; those that were open are marked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "tests/mpi/crashed_job.h"

namespace roofmark {
namespace {

using test::CrashedJob;
using test::DeathRecord;
using test::ExpectAllVisits;
using test::kRanksSeen;
using test::Mpi;
using test::Sum;
using testing::Contains;
using testing::HasSubstr;

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

const std::vector<const char*>& Deaths() {
  static const std::vector deaths = {"kill", "segv",      "abort",   "exception",
                                     "exit", "mpi_abort", "launcher"};
  return deaths;
}

// Each death with each MPI is among those above: here each is on one.
std::vector<Case> InTurns(const char* who, const char* where, size_t first) {
  std::vector<Case> cases;
  for (const auto& [mpi, death] : test::InTurns(Deaths(), first)) {
    cases.emplace_back(mpi, death, who, where);
  }
  return cases;
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  const auto& [mpi, death, who, where] = info.param;
  return std::string(mpi.name) + "_" + death + "_" + who + "_" + where;
}

INSTANTIATE_TEST_SUITE_P(Matrix, Crash,
                         testing::ValuesIn(test::Pairs(test::AllMpis(), Deaths(),
                                                       std::vector{"one", "all"},
                                                       std::vector{"in", "between", "start"})),
                         NameOf);

// Rank 0 dies while it writes: the others wait for the file and have given up nothing.
INSTANTIATE_TEST_SUITE_P(WhileWriting, Crash, testing::ValuesIn(InTurns("one", "write", 0)),
                         NameOf);

// After that the file holds everything. Ranks that had not yet heard of it leave their spools.
class CrashAfterwards : public testing::TestWithParam<Case> {};
TEST_P(CrashAfterwards, TheFileIsThere) {
  const auto& [mpi, death, who, where] = GetParam();
  CrashedJob crashed(mpi, death, who, where);
  EXPECT_GT(Sum(crashed, &DeathRecord::died), 0u) << "nobody died";
  ExpectAllVisits(crashed, test::ReadRoofline(crashed.File("run.json")).job);
}
INSTANTIATE_TEST_SUITE_P(Matrix, CrashAfterwards, testing::ValuesIn(InTurns("all", "end", 1)),
                         NameOf);

}  // namespace
}  // namespace roofmark
