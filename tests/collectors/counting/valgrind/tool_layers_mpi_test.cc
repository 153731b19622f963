// SPDX-License-Identifier: BSD-3-Clause
//
// What MPI executes is in a layer of its own: however long a rank waits, its work is the same.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/collectors/counting/valgrind/tool_run.h"
#include "tests/mpi/launchers.h"

namespace roofmark {
namespace {

constexpr unsigned kRegion = 1, kInReduction = 2;

class MpiLayers : public testing::TestWithParam<test::Mpi> {
 protected:
  MpiLayers() {
    for (const auto& [name, value] : test::ForLaunchers({})) setenv(name.c_str(), value.c_str(), 1);
  }
  static ToolRun Run(int ranks, const std::string& mode) {
    ToolRun run = RunToolUnder({GetParam().launcher, "-n", std::to_string(ranks)}, {},
                               {std::string("layers_mpi_") + GetParam().name, mode});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GT(run.At(1, kRegion)[ROOF_C_INSTRUCTIONS], 0u) << run.out;
    return run;
  }
  static uint64_t FlopsOf(const ToolRun& run, unsigned layer, unsigned path) {
    return Flops(run.InLayer(layer, 1, path));
  }
  static uint64_t InstructionsInMpi(const ToolRun& run) {
    return run.InLayer(ROOF_LAYER_MPI, 1, kRegion)[ROOF_C_INSTRUCTIONS];
  }
};

// Whatever the region's work adds up to is to the instruction what one rank needs.
class MpiWaiting : public MpiLayers {
 protected:
  static void CheckMode(const std::string& mode) {
    const ToolRun one = Run(1, mode), two = Run(2, mode);
    EXPECT_EQ(two.At(1, kRegion), one.At(1, kRegion)) << "counters, by number";
    EXPECT_GT(InstructionsInMpi(two), 10000 + InstructionsInMpi(one)) << "rank 0 waits";
  }
};

TEST_P(MpiWaiting, ForALateRankInACollective) { CheckMode("late"); }

// A job starts for seconds. That each MPI's own code is known by its libraries is shown above.
class MpiWaitingOnMpich : public MpiWaiting {};
class MpiLayersOnOpenMpi : public MpiLayers {};

TEST_P(MpiWaitingOnMpich, InALibraryThatCallsMpi) { CheckMode("library"); }

// Each round of the program's own loop is work, the call in it is not.
TEST_P(MpiLayersOnOpenMpi, PollingCountsTheLoopAlone) {
  const ToolRun one = Run(1, "polling"), two = Run(2, "polling");
  const uint64_t loop =
      two.At(1, kRegion)[ROOF_C_INSTRUCTIONS] - one.At(1, kRegion)[ROOF_C_INSTRUCTIONS];
  EXPECT_GT(InstructionsInMpi(two), 5 * loop);
}

TEST_P(MpiLayers, ReductionsOfTheProgramAreInsideMpi) {
  const ToolRun run = Run(1, "reduction");
  EXPECT_EQ(FlopsOf(run, ROOF_LAYER_WORK, kRegion), 2000u);
  EXPECT_EQ(FlopsOf(run, ROOF_LAYER_WORK, kInReduction), 0u);
  EXPECT_EQ(FlopsOf(run, ROOF_LAYER_MPI, kInReduction), 300u);
  EXPECT_EQ(FlopsOf(run, ROOF_LAYER_MPI, kRegion), 40u + 5u) << "a team is entered in it, too";
  EXPECT_EQ(FlopsOf(run, ROOF_LAYER_RUNTIME, kRegion), 0u);
}

TEST_P(MpiLayers, LongjmpLeavesMpi) {
  const ToolRun run = Run(1, "longjmp");
  EXPECT_EQ(FlopsOf(run, ROOF_LAYER_WORK, kRegion), 1000u);
  EXPECT_EQ(FlopsOf(run, ROOF_LAYER_MPI, kRegion), 20u);
}

const auto kNames = [](const testing::TestParamInfo<test::Mpi>& mpi) {
  return std::string(mpi.param.name);
};
INSTANTIATE_TEST_SUITE_P(Mpis, MpiLayers, testing::ValuesIn(test::kMpis), kNames);
INSTANTIATE_TEST_SUITE_P(Mpis, MpiWaiting, testing::ValuesIn(test::kMpis), kNames);
INSTANTIATE_TEST_SUITE_P(Mpis, MpiWaitingOnMpich, testing::ValuesIn(test::OneMpi("mpich")), kNames);
INSTANTIATE_TEST_SUITE_P(Mpis, MpiLayersOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         kNames);

}  // namespace
}  // namespace roofmark
