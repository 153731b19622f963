// SPDX-License-Identifier: BSD-3-Clause
//
// The merge over every MPI that was found: 500 regions of 20 metrics, exactly, on up to 64 ranks,
// and in bounded memory; random trees of regions. Each number of ranks is on one MPI, and on all in
// the group `exhaustive`. It takes long since dozens of ranks wait on a few cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/mpi/launchers.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Mpi;

class MergeJobs : public testing::TestWithParam<Mpi> {
 protected:
  std::string Merge(int ranks, const std::vector<std::string>& arguments, int seconds) {
    std::vector<std::string> command = {GetParam().launcher, "-n", std::to_string(ranks),
                                        std::string(PROGRAMS "/") + GetParam().name + "/merge_job"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Ended ended = test::Run(command, test::ForLaunchers({}), ".", seconds);
    EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
    return ended.out;
  }
};

TEST_P(MergeJobs, EveryColumnIsExactInBoundedMemory) {
  constexpr size_t kMostBytes = 16u << 20;
  for (const int ranks : test::TurnsOf(GetParam(), std::vector{1, 2, 3, 4, 8, 16, 32, 64})) {
    const std::string out = Merge(ranks, {"exact", "500", "20"}, 300);
    unsigned got = 0;
    size_t regions = 0, bytes = kMostBytes + 1;
    ASSERT_EQ(std::sscanf(out.c_str(), "exact: %u ranks, %zu regions, %zu", &got, &regions, &bytes),
              3)
        << out;
    EXPECT_EQ(got, static_cast<unsigned>(ranks));
    EXPECT_EQ(regions, 500u);
    EXPECT_LE(bytes, kMostBytes) << ranks;
    RecordProperty("bytes_at_" + std::to_string(ranks), std::to_string(bytes));
  }
}

TEST_P(MergeJobs, RandomTrees) {
  EXPECT_EQ(Merge(8, {"trees", "40"}, 300), "trees: 40 of 8 ranks\n");
}

INSTANTIATE_TEST_SUITE_P(Mpi, MergeJobs, testing::ValuesIn(test::kMpis),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace roofmark
