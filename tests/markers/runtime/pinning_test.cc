// SPDX-License-Identifier: BSD-3-Clause
//
// Which CPUs a program may use, where a runtime of OpenMP binds its first thread before any
// constructor of roofmark is executed, and where the user did it.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lib/core/cpu_list.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

const std::set<uint32_t>& Allowed() {
  static const std::set<uint32_t> cpus = ParseCpuList(AffinityCpuList());
  return cpus;
}

struct Way {
  const char* name;
  test::Environment variables;
};

const Way kBinding[] = {
    {"unbound", {}},
    {"true", {{"OMP_PROC_BIND", "true"}}},
    {"spread_over_cores", {{"OMP_PROC_BIND", "spread"}, {"OMP_PLACES", "cores"}}},
    {"close_to_threads", {{"OMP_PROC_BIND", "close"}, {"OMP_PLACES", "threads"}}},
    {"cpus_of_libgomp", {{"GOMP_CPU_AFFINITY", "0-1"}}},
    {"compact_of_libomp", {{"KMP_AFFINITY", "granularity=fine,compact"}}},
};

const Way kCollectors[] = {
    {"timer", {{"ROOFMARK_COLLECTOR", "timer"}}},
    {"valgrind", {{"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_ENGINE", "valgrind"}}},
#ifdef HAVE_NATIVE
    {"native", {{"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_ENGINE", "native"}}},
#endif
};

struct Runtime {
  const char *name, *program;
};
const Runtime kRuntimes[] = {
    {"libgomp", WORKING},
#ifdef WORKING_LIBOMP
    {"libomp", WORKING_LIBOMP},
#endif
};

JobProfile Execute(const std::vector<std::string>& command, test::Environment environment) {
  const test::TempDir directory;
  const std::string output = directory.File("run.json");
  environment.insert({{"ROOFMARK_OUTPUT", output}, {"ROOFMARK_COUNT", "flops"}});
  const test::Ended ended = test::Run(command, environment);
  EXPECT_EQ(ended.status, 0) << ended.err;
  return test::ReadRoofline(output).job;
}

uint64_t Flops(const JobProfile& job, const std::string& path) {
  uint64_t sum = 0;
  for (MetricId id = 0; id < kFlopClasses; ++id) sum += test::Value(job, path, id);
  return sum;
}

using Case = std::tuple<Runtime, Way, Way>;
class Pinning : public testing::TestWithParam<Case> {};

// Roofs and the sentence on threads that share CPUs rest on them, and so does an execution by an
// engine that begins the program anew.
TEST_P(Pinning, LeavesATeamTheCpusThatItHasWithoutRoofmark) {
  const auto& [runtime, binding, collector] = GetParam();
  if (Allowed().size() < 2) GTEST_SKIP() << "this process may use one CPU";
  test::Environment environment = binding.variables;
  environment.insert(collector.variables.begin(), collector.variables.end());
  environment["OMP_NUM_THREADS"] = "2";
  const bool is_slow = collector.name == std::string("valgrind");
  for (const bool preloaded : {false, true}) {
    if (preloaded && is_slow) break;
    if (preloaded) environment["LD_PRELOAD"] = LIBRARY;
    const JobProfile job = Execute({runtime.program, "team", "0"}, environment);
    ASSERT_EQ(job.run.hosts.size(), 1u);
    EXPECT_GE(job.run.hosts[0].cpus, 2u) << job.run.hosts[0].cpuset << ", preloaded: " << preloaded;
    EXPECT_EQ(job.run.threads_max, 2u);
    if (collector.name == std::string("timer")) continue;
    EXPECT_EQ(Flops(job, "team"), 2u * (1000 + 2000)) << "preloaded: " << preloaded;
  }
}

// Valgrind's engine takes a second to begin: each way is with one runtime.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  size_t way = 0;
  for (const Way& binding : kBinding) {
    const Runtime& with_valgrind = kRuntimes[way++ % std::size(kRuntimes)];
    for (const Runtime& runtime : kRuntimes) {
      for (const Way& collector : kCollectors) {
        const bool is_slow = collector.name == std::string("valgrind");
        if (!is_slow || &runtime == &with_valgrind) cases.push_back({runtime, binding, collector});
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Ways, Pinning, testing::ValuesIn(Cases()), [](const auto& one) {
  return std::string(std::get<0>(one.param).name) + "_" + std::get<1>(one.param).name + "_" +
         std::get<2>(one.param).name;
});

// What the launcher, or taskset, allowed is all that there is.
TEST(PinnedFromOutside, AProgramHasThoseCpusAlone) {
  const std::string one = std::to_string(*Allowed().begin());
  for (const Way& collector : kCollectors) {
    test::Environment environment = collector.variables;
    environment["OMP_NUM_THREADS"] = "2";
    const JobProfile job = Execute({"taskset", "-c", one, WORKING, "team", "0"}, environment);
    ASSERT_EQ(job.run.hosts.size(), 1u);
    EXPECT_EQ(job.run.hosts[0].cpuset, one) << collector.name;
  }
}

// Both threads share it, although the launcher allowed more.
TEST(PinnedFromOutside, ATeamThatIsBoundToOneCpuHasThatOne) {
  const std::string one = std::to_string(*Allowed().begin());
  const JobProfile job = Execute(
      {WORKING, "team", "0"},
      {{"ROOFMARK_COLLECTOR", "timer"}, {"OMP_NUM_THREADS", "2"}, {"GOMP_CPU_AFFINITY", one}});
  ASSERT_EQ(job.run.hosts.size(), 1u);
  EXPECT_EQ(job.run.hosts[0].cpuset, one);
}

}  // namespace
}  // namespace roofmark
