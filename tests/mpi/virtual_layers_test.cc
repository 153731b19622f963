// SPDX-License-Identifier: BSD-3-Clause
//
// Hardware counters of jobs that execute instructions inside MPI and inside the OpenMP runtime, on
// virtual machines: what is executed there is told apart, and is no work of the region.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <tuple>

#include "tests/collectors/perf_event/machine_facts.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Mpi;
using testing::HasSubstr;

constexpr uint64_t kRanks = 2;
// As in the program.
constexpr uint64_t kInMpi = 50, kInRuntime = 60;

class VirtualLayers : public testing::TestWithParam<std::tuple<Mpi, const char*, bool>> {
 protected:
  void Run(const std::string& preloaded, const test::Environment& more = {}) {
    const auto& [mpi, name, user_read] = GetParam();
    machine_ = facts::Of(name);
    std::vector<std::string> command = {mpi.launcher, "-n", std::to_string(kRanks)};
    if (mpi.IsOpenMpi()) command.insert(command.end(), {"--bind-to", "none"});
    command.insert(command.end(), {"env", "LD_PRELOAD=" + preloaded,
                                   fmt::format("{}/{}/virtual_layers", PROGRAMS, mpi.name)});
    test::Environment environment = {{"VPMU_MACHINE", fmt::format("{}/{}", VPMU_MACHINES, name)},
                                     {"VPMU_STATE", directory_.File("state")},
                                     {"VPMU_USER_READ", user_read ? "1" : "0"},
                                     {"VPMU_PRIVILEGED", "1"},
                                     {"ROOFMARK_COLLECTOR", "perf_event"},
                                     {"ROOFMARK_OUTPUT", directory_.File("run.json")}};
    environment.insert(more.begin(), more.end());
    const test::Ended ended =
        test::Run(command, test::ForLaunchers(environment), directory_.path(), /*seconds=*/240);
    ASSERT_EQ(ended.status, 0) << ended.err;
    int ranks = 0;
    ASSERT_EQ(std::sscanf(ended.out.c_str(), "%d %d", &ranks, &called_back_), 2) << ended.out;
    ASSERT_EQ(ranks, kRanks) << "the result of the reduction";
    ASSERT_GE(called_back_, 1);
    job_ = test::ReadRoofline(directory_.File("run.json")).job;
    ASSERT_EQ(job_.run.ranks, kRanks);
  }

  double Sum(const char* path, MetricId metric) const {
    const int row = job_.FindPath(path);
    EXPECT_GE(row, 0) << path;
    return row < 0 ? -1 : job_.At(static_cast<size_t>(row), metric).SumAsDouble();
  }

  // One play of machine_facts.h: the weighed counts of those events that pass.
  template <typename Passes>
  double Play(uint64_t rank, uint64_t thread, Passes passes) const {
    double sum = 0;
    for (size_t i = 0; i < machine_.core.size(); ++i) {
      if (!passes(machine_.core[i].metric)) continue;
      sum += static_cast<double>(machine_.core[i].weight * facts::Count(i, rank, thread));
    }
    return sum;
  }

  // `apart`: how often instructions of rank `of` were retired elsewhere in each region.
  void ExpectApart(const char* path, MetricId flops, MetricId instructions, uint64_t of,
                   double times) const {
    SCOPED_TRACE(path);
    EXPECT_EQ(Sum(path, flops), times * Play(of, 0, IsFlops));
    EXPECT_EQ(Sum(path, instructions), times * Play(of, 0, IsInstructions));
  }

  // Executed in "reduce", wherever.
  double InstructionsOfAll() const {
    double all = called_back_ * Play(kInMpi, 0, IsInstructions);
    for (uint64_t rank = 0; rank < kRanks; ++rank) all += Play(rank, 0, IsInstructions);
    return all;
  }

  static bool IsInstructions(MetricId metric) { return metric == metric::kInstructions; }

  facts::Machine machine_;
  test::TempDir directory_;
  int called_back_ = 0;
  JobProfile job_;
};

TEST_P(VirtualLayers, AreNoWorkOfTheRegion) {
  ASSERT_NO_FATAL_FAILURE(Run(MPI_WAIT ":" OPENMP_WAIT));
  for (const facts::CoreEvent& event : machine_.core) {
    SCOPED_TRACE(GetMetric(event.metric).name);
    const auto only = [&](MetricId metric) { return metric == event.metric; };
    double of_thread_0 = 0, of_both = 0;
    for (uint64_t rank = 0; rank < kRanks; ++rank) {
      of_thread_0 += Play(rank, 0, only);
      of_both += Play(rank, 0, only) + Play(rank, 1, only);
    }
    EXPECT_EQ(Sum("reduce", event.metric), of_thread_0);
    EXPECT_EQ(Sum("barrier", event.metric), of_both);
  }
  ExpectApart("reduce", InMpi(metric::kFlopsApart), InMpi(metric::kInstructionsApart), kInMpi,
              called_back_);
  ExpectApart("barrier", InRuntime(metric::kFlopsApart), InRuntime(metric::kInstructionsApart),
              kInRuntime, 2 * kRanks);
  EXPECT_EQ(Sum("barrier", InMpi(metric::kInstructionsApart)), 0);
  EXPECT_EQ(Sum("reduce", InRuntime(metric::kInstructionsApart)), 0);
}

// Without the libraries that see the calls nobody knows what was executed in them.
TEST_P(VirtualLayers, AreInTheRegionWhereNobodyFollowsThem) {
  ASSERT_NO_FATAL_FAILURE(Run(""));
  EXPECT_EQ(Sum("reduce", metric::kInstructions), InstructionsOfAll());
  for (const MetricId metric :
       {InMpi(metric::kInstructionsApart), InRuntime(metric::kFlopsApart)}) {
    EXPECT_FALSE(HasValue(job_.sources[metric].status));
    EXPECT_THAT(job_.sources[metric].reason, HasSubstr("measured"));
  }
}

// Events that the user chose count whatever happens in a region.
TEST_P(VirtualLayers, AreCountedByTheUsersOwnEvents) {
  ASSERT_NO_FATAL_FAILURE(Run(MPI_WAIT ":" OPENMP_WAIT, {{"ROOFMARK_EVENTS", "instructions"}}));
  EXPECT_EQ(Sum("reduce", UserMetric(0)), InstructionsOfAll());
}

INSTANTIATE_TEST_SUITE_P(Machines, VirtualLayers,
                         testing::ValuesIn(test::Pairs(test::AllMpis(), std::vector{"skx", "zen4"},
                                                       test::Both())),
                         [](const auto& test) {
                           return fmt::format("{}_{}_{}", std::get<0>(test.param).name,
                                              std::get<1>(test.param),
                                              std::get<2>(test.param) ? "rdpmc" : "read");
                         });

}  // namespace
}  // namespace roofmark
