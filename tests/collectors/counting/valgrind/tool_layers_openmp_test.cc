// SPDX-License-Identifier: BSD-3-Clause
//
// An OpenMP runtime's waiting and scheduling is in a layer of its own: however long threads wait,
// the work of each is the same.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

using testing::SizeIs;

constexpr unsigned kRegion = 1, kUnit = 20000;  // of the guest

// Two threads that call a function for the first time at once would both look it up, now and then.
const std::string kLookedUpAtStart = "LD_BIND_NOW=1";

// Waiting threads sleep at once, or go round a loop many times before they do.
ToolRun Passive(const std::string& mode) {
  return RunTool({}, {"layers_openmp", mode}, {kLookedUpAtStart});
}
ToolRun Active(const std::string& mode) {
  return RunTool(
      {}, {"layers_openmp", mode},
      {kLookedUpAtStart, "OMP_WAIT_POLICY=active", "GOMP_SPINCOUNT=30000", "OMP_PROC_BIND=false"});
}

uint64_t Sum(const ToolRun& run, unsigned layer, size_t counter) {
  uint64_t sum = 0;
  for (const auto& [key, counters] : run.layers[layer])
    if (key.second == kRegion) sum += counters[counter];
  return sum;
}

// Threads that executed anything in the region.
size_t ThreadsOf(const ToolRun& run) {
  std::set<unsigned> threads;
  for (const auto& layer : run.layers) {
    for (const auto& [key, counters] : layer) {
      if (key.second == kRegion) threads.insert(key.first);
    }
  }
  return threads.size();
}

uint64_t FlopsIn(const ToolRun& run, unsigned layer) {
  uint64_t sum = 0;
  for (const auto& [key, counters] : run.layers[layer])
    if (key.second == kRegion) sum += Flops(counters);
  return sum;
}

constexpr size_t kCompared[] = {ROOF_C_INSTRUCTIONS,       ROOF_C_LOAD_INSTRUCTIONS,
                                ROOF_C_STORE_INSTRUCTIONS, ROOF_C_BRANCH_INSTRUCTIONS,
                                ROOF_C_LOAD_BYTES,         ROOF_C_STORE_BYTES};

class OpenMpLayers : public testing::TestWithParam<const char*> {};

TEST_P(OpenMpLayers, WaitingIsNoWork) {
  const ToolRun passive = Passive(GetParam()), active = Active(GetParam());
  ASSERT_EQ(passive.exit_code, 0) << passive.err;
  ASSERT_EQ(active.exit_code, 0) << active.err;
  for (const size_t counter : kCompared) {
    EXPECT_EQ(Sum(passive, ROOF_LAYER_WORK, counter), Sum(active, ROOF_LAYER_WORK, counter))
        << counter;
  }
  EXPECT_GT(Sum(passive, ROOF_LAYER_RUNTIME, ROOF_C_INSTRUCTIONS), 0u);
  EXPECT_EQ(FlopsIn(active, ROOF_LAYER_RUNTIME), 0u);
}
INSTANTIATE_TEST_SUITE_P(Modes, OpenMpLayers, testing::Values("unbalanced", "waits", "dynamic"),
                         [](const auto& test) { return std::string(test.param); });

// Instructions of the threads by what each had to add; which of them is which is open.
std::map<uint64_t, uint64_t> InstructionsByWork(const ToolRun& run) {
  std::map<uint64_t, uint64_t> instructions;
  for (const auto& [key, counters] : run.layers[ROOF_LAYER_WORK]) {
    if (key.second == kRegion) instructions[Flops(counters)] = counters[ROOF_C_INSTRUCTIONS];
  }
  return instructions;
}

TEST(OpenMpLayers, EachThreadsWorkIsItsOwn) {
  const ToolRun passive = Passive("unbalanced"), active = Active("unbalanced");
  EXPECT_THAT(InstructionsByWork(passive), SizeIs(3));
  EXPECT_EQ(InstructionsByWork(passive), InstructionsByWork(active));
  EXPECT_GT(Sum(active, ROOF_LAYER_RUNTIME, ROOF_C_INSTRUCTIONS),
            10000 + Sum(passive, ROOF_LAYER_RUNTIME, ROOF_C_INSTRUCTIONS))
      << "nobody waited";
}

// The program, called by the runtime, called by the program ... a hundred times.
TEST(OpenMpLayers, TasksWithinTasksAreWork) {
  const ToolRun run = Active("tasks");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(FlopsIn(run, ROOF_LAYER_WORK), 100u * kUnit);
  EXPECT_EQ(FlopsIn(run, ROOF_LAYER_RUNTIME), 0u);
  EXPECT_GT(Sum(run, ROOF_LAYER_RUNTIME, ROOF_C_INSTRUCTIONS), 10000u);
}

TEST(OpenMpLayers, TeamsWithinTeamsAreWork) {
  const ToolRun run = Active("nested");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(FlopsIn(run, ROOF_LAYER_WORK), 4u * kUnit + 4u * 10 * kUnit);
  EXPECT_EQ(FlopsIn(run, ROOF_LAYER_RUNTIME), 0u);
}

#ifdef LIBOMP
ToolRun WithLibomp(const std::string& mode, const std::string& milliseconds_of_spinning) {
  return RunTool({}, {"layers_openmp", mode},
                 {kLookedUpAtStart, std::string("LD_PRELOAD=") + LIBOMP,
                  "KMP_BLOCKTIME=" + milliseconds_of_spinning});
}

TEST(OpenMpLayers, LlvmsRuntimeIsOne) {
  for (const char* mode : {"unbalanced", "waits", "dynamic", "tasks", "nested"}) {
    const ToolRun passive = WithLibomp(mode, "0"), active = WithLibomp(mode, "100");
    ASSERT_EQ(passive.exit_code, 0) << passive.err;
    // Where a thread of an inner team is not back yet, the runtime begins another one. What that
    // executes before it is in the runtime is work: a hundred instructions.
    const auto threads =
        static_cast<double>(ThreadsOf(passive)) - static_cast<double>(ThreadsOf(active));
    for (const size_t counter : kCompared) {
      EXPECT_NEAR(static_cast<double>(Sum(passive, ROOF_LAYER_WORK, counter)),
                  static_cast<double>(Sum(active, ROOF_LAYER_WORK, counter)),
                  1000 * std::abs(threads))
          << mode << ' ' << counter;
    }
    EXPECT_EQ(FlopsIn(active, ROOF_LAYER_WORK), FlopsIn(Passive(mode), ROOF_LAYER_WORK)) << mode;
    EXPECT_GT(Sum(passive, ROOF_LAYER_RUNTIME, ROOF_C_INSTRUCTIONS), 1000u) << mode;
    EXPECT_EQ(FlopsIn(active, ROOF_LAYER_RUNTIME), 0u) << mode;
  }
}
#endif

// Addresses go to the layer that accesses them; the model of the caches sees all.
TEST(OpenMpLayers, TrafficGoesToTheLayer) {
  std::vector<std::string> caches = SmallCaches();
  const ToolRun run = RunTool(caches, {"layers_openmp", "waits"}, {kLookedUpAtStart});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(FlopsIn(run, ROOF_LAYER_RUNTIME), 0u);
  EXPECT_GT(Sum(run, ROOF_LAYER_RUNTIME, ROOF_C_L1_READ_BYTES), 0u);
  EXPECT_EQ(Sum(run, ROOF_LAYER_WORK, ROOF_C_LOAD_BYTES),
            Sum(Passive("waits"), ROOF_LAYER_WORK, ROOF_C_LOAD_BYTES));
}

}  // namespace
}  // namespace roofmark
