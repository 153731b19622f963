// SPDX-License-Identifier: BSD-3-Clause
//
// The hang matrix: every way an MPI program begins, enters regions and ends, alone and beside a
// program without roofmark, by pairs, each under a time limit; and whatever ends its life in order
// leaves every visit, merged or in parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/mpi/mpi_jobs.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kBegins[] = {"init", "single", "funneled", "serialized", "multiple"};
constexpr const char* kRegions[] = {"none", "same", "some", "different", "sub"};
constexpr const char* kEnds[] = {"finalize", "thread", "atexit", "destructor", "missing", "_exit"};

class Hang : public test::MpiJobs {
 protected:
  // What ranks 0 ... n - 1 visited, in all regions together.
  static uint64_t Expected(const std::string& regions, uint64_t ranks) {
    uint64_t visits = 0;
    for (uint64_t rank = 0; rank < ranks; ++rank) {
      if (regions != "none" && (regions != "some" || rank % 2 == 1)) visits += rank + 1;
    }
    return visits;
  }

  // In all files that are there.
  uint64_t Visits() const {
    uint64_t visits = 0;
    for (const std::string& name : Files()) {
      const JobProfile job = Read(name);
      for (size_t p = 0; p < job.paths.size(); ++p) {
        visits += static_cast<uint64_t>(job.At(p, metric::kVisits).Sum());
      }
    }
    return visits;
  }

  Ended Live(const std::string& begin, const std::string& regions, const std::string& end,
             bool beside) {
    std::vector<std::string> command = {"-n", "3", Program("lives"), begin, regions, end};
    if (beside) command.insert(command.end(), {":", "-n", "1", Program("plain"), "beside"});
    // Launchers kill the others as soon as one process ends without MPI_Finalize, unless told.
    if (!IsOpenMpi()) command.insert(command.begin(), "-disable-auto-cleanup");
    return Launch(command, {{"OMPI_MCA_orte_allowed_exit_without_sync", "1"}});
  }

  void ExpectEverythingThere(const std::string& regions, const std::string& end, bool beside) {
    EXPECT_EQ(Visits(), Expected(regions, 3));
    const bool merged = end != "missing" && !beside;
    EXPECT_EQ(Files().size(), merged ? 1u : 3u) << "one file, or one of each process";
  }
};

// A program that never finalizes lets the one beside it wait in MPI_Finalize for ever, with
// roofmark or without.
bool IsOrderly(std::string_view end) { return end != "missing" && end != "_exit"; }

// Each pair of an MPI, a level of threads, regions, an end, and a program beside it.
TEST_P(Hang, NoLifeHangsOrLosesVisits) {
  const auto allowed = [](const test::Mpi&, const char*, const char*, const char* end,
                          bool beside) { return !beside || IsOrderly(end); };
  for (const auto& [mpi, begin, regions, end, beside] :
       test::PairsWhere(allowed, test::AllMpis(), test::Factor(kBegins), test::Factor(kRegions),
                        test::Factor(kEnds), test::Both())) {
    if (mpi.name != std::string_view(GetParam().name)) continue;
    SCOPED_TRACE(std::string(begin) + ", " + regions + ", " + end +
                 (beside ? ", beside another program" : ""));
    const Ended ended = Live(begin, regions, end, beside);
    EXPECT_THAT(ended.err, Not(HasSubstr("time limit")));
    EXPECT_TRUE(!IsOrderly(end) || ended.status == 0) << ended.err;
    if (std::string(end) != "_exit") ExpectEverythingThere(regions, end, beside);
    RemoveFiles();
  }
}

TEST_P(Hang, SpawnedProcesses) {
  if (Launch({"-n", "2", Program("spawn")}, {{"ROOFMARK", "off"}}).status != 0) {
    GTEST_SKIP() << "this MPI's launcher cannot spawn";
  }
  const Ended ended = Launch({"-n", "2", Program("spawn")});
  EXPECT_THAT(ended.err, Not(HasSubstr("time limit")));
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.out, "2\n") << "two worlds are not merged into one file: " << ended.err;
  uint64_t parents = 0, children = 0;
  for (const std::string& name : Files()) {
    if (name.find("reduce") != std::string::npos) continue;
    const JobProfile job = Read(name);
    for (size_t p = 0; p < job.paths.size(); ++p) {
      const auto visits = static_cast<uint64_t>(job.At(p, metric::kVisits).Sum());
      (job.paths[p].path == "parents" ? parents : children) += visits;
    }
  }
  EXPECT_EQ(parents, 2u);
  EXPECT_EQ(children, 2u);
}

INSTANTIATE_TEST_SUITE_P(Mpi, Hang, testing::ValuesIn(test::kMpis), test::NameOf);

}  // namespace
}  // namespace roofmark
