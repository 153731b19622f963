// SPDX-License-Identifier: BSD-3-Clause
//
// A region made slow on purpose in one way names exactly that cause first: the kernel `slow` under
// the counting collector with fixed caches, held against a machine file of round numbers. Two
// causes that no program can produce here, pages on one node of two and a busy memory controller,
// are tested on package counters in tests/lib/model/runtime_ceilings_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/advice.h"
#include "lib/model/analysis.h"
#include "lib/report/advice_words.h"
#include "tests/lib/model/model_machine.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

struct Case {
  std::string variant;
  int ranks, threads;
  std::string first;  // "": nothing is worth half as much again
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.variant; }

class Causes : public ::testing::TestWithParam<Case> {
 protected:
  JobProfile Count() {
    const Case& c = GetParam();
    const test::Mpi& mpi = test::kMpis[0];
    std::vector<std::string> command;
    if (c.ranks > 1) command = {mpi.launcher, "-n", std::to_string(c.ranks)};
    const bool memory = c.variant == "memory" || c.variant == "write-allocate" ||
                        c.variant == "spread" || c.variant == "conflict";
    for (const std::string& word :
         {std::string(KERNELS "/") + mpi.name + "/slow", std::string("--variant"), c.variant,
          std::string("--iterations"), std::string("2"), std::string("--n"),
          std::string(memory ? "512" : "64")}) {
      command.push_back(word);
    }
    const std::string output = directory_.File("run.json");
    const test::Environment environment = {{"ROOFMARK_COLLECTOR", "counting"},
                                           {"ROOFMARK_OUTPUT", output},
                                           {"ROOFMARK_CACHE", "L1:32K:8,L2:256K:8,L3:1M:16"},
                                           {"ROOFMARK_COUNT", "threec"},
                                           {"OMP_NUM_THREADS", std::to_string(c.threads)},
                                           {"OMPI_MCA_hwloc_base_binding_policy", "none"}};
    const test::Ended ended =
        test::Run(command, test::ForLaunchers(environment), directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::ReadRoofline(output).job;
  }
  test::TempDir directory_;
};

TEST_P(Causes, TheDeliberateOneIsNamedFirst) {
  const JobProfile job = Count();
  const int path = job.FindPath("slow");
  ASSERT_GE(path, 0);
  const Machine machine = test::ModelMachine();
  const RuntimeModel runtime = Analyze(job, &machine).paths[static_cast<size_t>(path)].runtime;
  std::string all;
  for (const Ceiling* ceiling : WorthCuring(runtime)) {
    all += AdviceSentence(*ceiling, runtime) + "\n";
  }
  const auto worth = WorthCuring(runtime);
  if (GetParam().first.empty()) {
    for (const Ceiling* ceiling : worth) {
      if (InfoOf(ceiling->shortfall).ease == Ease::kAlgorithm) continue;
      EXPECT_LT(ceiling->gain.Middle(), 1.5) << all;
    }
    return;
  }
  ASSERT_FALSE(worth.empty());
  EXPECT_EQ(InfoOf(worth[0]->shortfall).name, GetParam().first) << all;
}

INSTANTIATE_TEST_SUITE_P(
    Slow, Causes,
    ::testing::Values(Case{"compute", 1, 2, ""}, Case{"scalar", 1, 2, "simd"},
                      Case{"no-fma", 1, 2, "fma_balance"}, Case{"divides", 1, 2, "divides"},
                      Case{"one-thread", 1, 2, "thread_imbalance"},
                      Case{"one-rank", 2, 1, "rank_imbalance"}, Case{"memory", 1, 2, ""},
                      Case{"write-allocate", 1, 2, "write_allocate"}, Case{"spread", 1, 2, ""},
                      Case{"conflict", 1, 2, "conflict"}),
    [](const auto& param) {
      std::string name = param.param.variant;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace roofmark
