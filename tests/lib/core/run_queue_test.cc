// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/run_queue.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lib/core/clock.h"
#include "lib/core/cpu_name.h"
#include "tests/support/end_child.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using ::testing::Eq;
using ::testing::Optional;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

void Write(const std::string& root, const std::string& thread, const std::string& content) {
  const std::string folder = root + "/proc/self/task/" + thread;
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/schedstat") << content;
}

TEST(RunQueue, EachThreadsSecondNumberIsRead) {
  const test::TempDir directory;
  const std::string& root = directory.path();
  Write(root, "17", "1000 250 3\n");
  Write(root, "18", "1000 18446744073709551615 3\n");
  Write(root, "19", "1000");
  Write(root, "20", "");
  Write(root, "21", "1 x 2");
  Write(root, "self", "1 2 3");
  std::filesystem::create_directories(root + "/proc/self/task/22");
  EXPECT_THAT(ReadRunQueueWaits(root),
              UnorderedElementsAre(Pair(17, 250u), Pair(18, 18446744073709551615u)));
  EXPECT_TRUE(ReadRunQueueWaits(root + "/nothing").empty());
}

TEST(RunQueue, TheLongestWaitSinceThenCounts) {
  EXPECT_EQ(LongestWaitSince({{1, 5}}, {}), std::nullopt);
  EXPECT_THAT(LongestWaitSince({{1, 100}}, {{1, 130}, {2, 20}}), Optional(Eq(30u)));
  EXPECT_THAT(LongestWaitSince({{1, 100}}, {{1, 110}, {2, 20}}), Optional(Eq(20u)));
  EXPECT_THAT(LongestWaitSince({{1, 100}}, {{1, 40}}), Optional(Eq(40u))) << "another thread";
}

// Two processes that want the same CPU for 50 ms of time on it each: one of them waits.
TEST(RunQueue, WhoeverSharesACpuWaits) {
  if (ReadRunQueueWaits().empty()) GTEST_SKIP() << "the kernel does not count it";
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const pid_t other = test::ForkForTest();
  if (other == 0) {
    // Volatile: a compiler may take a loop without effects for one that ends, and this process
    // would go on to kill(0, SIGKILL), which ends whatever runs the tests.
    for (volatile bool on = true; on;) {
    }
    _exit(0);
  }
  const RunQueueWaits then = ReadRunQueueWaits();
  const clock_t start = clock();
  while (clock() - start < CLOCKS_PER_SEC / 20) {
  }
  const auto waited = LongestWaitSince(then, ReadRunQueueWaits());
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  sched_setaffinity(0, sizeof all, &all);
  ASSERT_TRUE(waited);
  EXPECT_GT(*waited, 1'000'000u) << "a turn of the other one, at least";
}

TEST(CpuName, IsThatOfTheKernelsList) {
#ifndef __x86_64__
  GTEST_SKIP() << "the CPU says its name on x86-64 only";
#endif
  std::ifstream list("/proc/cpuinfo");
  std::string name, flags;
  for (std::string line; flags.empty() && std::getline(list, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.starts_with("model name")) name = line.substr(colon + 2);
    if (line.starts_with("flags")) flags = line.substr(colon + 2) + " ";
  }
  if (name.empty()) GTEST_SKIP() << "no name in /proc/cpuinfo";
#ifdef __x86_64__
  // Some virtual machines (PVM) show programs the CPU of the host, and the kernel another one.
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool has_fsgsbase = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & 1) != 0;
  if (has_fsgsbase != (flags.find(" fsgsbase ") != std::string::npos)) {
    GTEST_SKIP() << "the CPU tells programs other things than the kernel";
  }
#endif
  EXPECT_EQ(CpuName(), name);
}

}  // namespace
}  // namespace roofmark
