// SPDX-License-Identifier: BSD-3-Clause
//
// A region made slow on purpose in one way differs in that respect alone, and names exactly that
// cause first: the kernel `slow` under the counting collector with fixed caches, held against a
// machine file of round numbers. One job of each variant shows both. Causes of misses need
// Valgrind's engine; the others are counted by the native one where it was built, at a tenth of the
// price, and by both in the group `exhaustive`. Two
// causes that no program can produce here, pages on one node of two and a busy memory controller,
// are tested on package counters in tests/lib/model/runtime_ceilings_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "lib/model/advice.h"
#include "lib/model/analysis.h"
#include "lib/report/deed_words.h"
#include "tests/benchmarks/kernels/counted.h"
#include "tests/lib/model/model_machine.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

struct Case {
  std::string variant;
  int ranks;
  std::string first;  // "": nothing is worth half as much again
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.variant; }

bool Moves(const Case& c) {
  return c.variant == "memory" || c.variant == "write-allocate" || c.variant == "spread" ||
         c.variant == "conflict";
}

class Causes : public ::testing::TestWithParam<std::tuple<Case, std::string>> {
 protected:
  // Two threads on one rank, or one on each of two.
  JobProfile Count() {
    const auto& [c, engine] = GetParam();
    const test::Mpi& mpi = kCheapMpi;
    std::vector<std::string> command;
    if (c.ranks > 1) command = {mpi.launcher, "-n", std::to_string(c.ranks)};
    for (const std::string& word :
         {std::string(KERNELS "/") + mpi.name + "/slow", std::string("--variant"), c.variant,
          std::string("--iterations"), std::string("2"), std::string("--n"),
          std::string(Moves(c) ? "512" : "64")}) {
      command.push_back(word);
    }
    const std::string output = directory_.File("run.json");
    const test::Environment environment = {{"ROOFMARK_COLLECTOR", "counting"},
                                           {"ROOFMARK_ENGINE", engine},
                                           {"ROOFMARK_OUTPUT", output},
                                           {"ROOFMARK_CACHE", "L1:32K:8,L2:256K:8,L3:1M:16"},
                                           {"ROOFMARK_COUNT", Moves(c) ? "threec" : "cache"},
                                           {"OMP_NUM_THREADS", c.ranks > 1 ? "1" : "2"},
                                           {"OMPI_MCA_hwloc_base_binding_policy", "none"}};
    const test::Ended ended =
        test::Run(command, test::ForLaunchers(environment), directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::ReadRoofline(output).job;
  }
  test::TempDir directory_;
};

void ExpectOneDifference(const Case& c, const Counted& counted) {
  if (c.variant != "scalar") {
    EXPECT_LT(counted.scalar, 1e-3 * counted.flops);
  }
  if (Moves(c)) {
    EXPECT_THAT(counted.dram_bytes, Within(0.05, counted.declared_bytes));
    return;
  }
  EXPECT_THAT(counted.flops, Within(1e-3, counted.declared_flops));
  const int workers = c.variant == "one-thread" || c.variant == "one-rank" ? 1 : 2;
  EXPECT_THAT(counted.busiest_worker, Within(0.05, counted.flops / workers));
  if (c.variant == "scalar") {
    EXPECT_GT(counted.scalar, 0.999 * counted.flops);
  }
  if (c.variant == "no-fma") {
    EXPECT_EQ(counted.fma, 0);
  } else if (c.variant == "divides") {
    EXPECT_THAT(counted.divisions, Within(1e-3, counted.flops / 5));
  } else {
    EXPECT_GT(counted.fma, 0.999 * counted.flops);
  }
}

TEST_P(Causes, TheDeliberateOneIsNamedFirst) {
  const JobProfile job = Count();
  const int path = job.FindPath("slow");
  ASSERT_GE(path, 0);
  const Case& given = std::get<Case>(GetParam());
  ExpectOneDifference(given, Collect(job, static_cast<size_t>(path)));
  const Machine machine = test::ModelMachine();
  const RuntimeModel runtime = Analyze(job, &machine).paths[static_cast<size_t>(path)].runtime;
  std::string all;
  for (const Ceiling* ceiling : WorthCuring(runtime)) {
    all += AdviceSentence(*ceiling, runtime) + "\n";
  }
  const auto worth = WorthCuring(runtime);
  if (given.first.empty()) {
    for (const Ceiling* ceiling : worth) {
      if (InfoOf(ceiling->shortfall).ease == Ease::kAlgorithm) continue;
      EXPECT_LT(ceiling->gain.Middle(), 1.5) << all;
    }
    return;
  }
  ASSERT_FALSE(worth.empty());
  EXPECT_EQ(InfoOf(worth[0]->shortfall).name, given.first) << all;
}

std::vector<std::tuple<Case, std::string>> Cases() {
  std::vector<std::tuple<Case, std::string>> cases;
  for (const Case& c :
       {Case{"compute", 1, ""}, Case{"scalar", 1, "simd"}, Case{"no-fma", 1, "fma_balance"},
        Case{"divides", 1, "divides"}, Case{"one-thread", 1, "thread_imbalance"},
        Case{"one-rank", 2, "rank_imbalance"}, Case{"memory", 1, ""},
        Case{"write-allocate", 1, "write_allocate"}, Case{"spread", 1, ""},
        Case{"conflict", 1, "conflict"}}) {
    for (const std::string& engine : Moves(c) ? std::vector<std::string>{"valgrind"} : Engines())
      cases.emplace_back(c, engine);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Slow, Causes, ::testing::ValuesIn(Cases()), [](const auto& param) {
  std::string name = std::get<Case>(param.param).variant + "_" + std::get<1>(param.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace roofmark
