// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

struct Worker {
  unsigned serial = 0;
  uint64_t additions = 0;
};

std::vector<Worker> Workers(const ToolRun& run) {
  std::vector<Worker> workers;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string word;
    Worker worker;
    if (fields >> word && word == "worker" && fields >> worker.serial >> worker.additions)
      workers.push_back(worker);
  }
  return workers;
}

// Every worker's additions are in its own context of the team's path, to the last one; a thread
// that began when another one had ended may have its number.
void CheckTeam(const char* mode, size_t workers_expected) {
  ToolRun run = RunTool({}, {"threads", mode});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::vector<Worker> workers = Workers(run);
  ASSERT_EQ(workers.size(), workers_expected);
  uint64_t total = 0;
  std::map<unsigned, uint64_t> additions;
  for (const Worker& worker : workers) {
    additions[worker.serial] += worker.additions;
    total += worker.additions;
  }
  for (const auto& [serial, expected] : additions) {
    EXPECT_EQ(Flops(run.At(serial, 1)), expected) << "thread " << serial;
    EXPECT_EQ(Flops(run.At(serial, 0)), 0u);
  }
  EXPECT_EQ(Flops(run.OfPath(1)), total);
}

TEST(Threads, OpenMpTeamWithUnequalWork) { CheckTeam("openmp", 4); }
TEST(Threads, PosixThreadsCreatedInsideTheRegion) { CheckTeam("pthreads", 4); }
TEST(Threads, C11ThreadsCreatedInsideTheRegion) { CheckTeam("c11", 4); }
TEST(Threads, SixtyFour) { CheckTeam("many", 64); }

TEST(Threads, ThoseThatFollowEachOtherAreOneWorker) {
  ToolRun run = RunTool({}, {"threads", "generations"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::vector<Worker> workers = Workers(run);
  ASSERT_EQ(workers.size(), 8u);
  uint64_t total = 0;
  for (const Worker& worker : workers) {
    EXPECT_EQ(worker.serial, 2u);
    total += worker.additions;
  }
  EXPECT_EQ(Flops(run.At(2, 1)), total);
  EXPECT_EQ(Flops(run.OfPath(1)), total);
}

TEST(Threads, OwnPathGoesBeforeTheTeams) {
  ToolRun run = RunTool({}, {"threads", "own"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(Flops(run.OfPath(10 + k)), 1000 * (k + 1));
  EXPECT_EQ(Flops(run.OfPath(1)), 0u);
}

TEST(Threads, TeamPathReachesThreadsThatLive) {
  ToolRun run = RunTool({}, {"threads", "team"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Flops(run.At(1, 0)) + Flops(run.At(2, 0)), 2u);
  EXPECT_EQ(Flops(run.At(1, 1)), 1000u);
  EXPECT_EQ(Flops(run.At(2, 1)), 2000u);
  EXPECT_EQ(Flops(run.At(1, 2)), 10000u);
  EXPECT_EQ(Flops(run.At(2, 2)), 20000u);
}

TEST(Threads, CacheModelChargesEachThread) {
  ToolRun run = RunTool(SmallCaches(), {"threads", "openmp"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const Worker& worker : Workers(run)) {
    Counters c = run.At(worker.serial, 1);
    EXPECT_EQ(Flops(c), worker.additions);
    EXPECT_GT(c[ROOF_C_L1_READ_BYTES], 0u) << "a private first level starts empty";
    EXPECT_GE(c[ROOF_C_LOAD_BYTES], 8 * worker.additions);
  }
}

}  // namespace
}  // namespace roofmark
