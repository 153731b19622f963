// SPDX-License-Identifier: BSD-3-Clause
//
// Dependences of known loops, on a core of fixed latencies.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

constexpr long kIterations = 1000000;

std::vector<std::string> Options(const std::string& latencies = "") {
  std::vector<std::string> options = SmallCaches();
  options.push_back(
      "--latencies=dp_add=3,dp_mul=5,dp_fma=4,dp_div=13,int=1,int_mul=3,load_l1=4,load_l2=14,load_"
      "l3=50,"
      "load_dram=300,load_vector=3,forward_vector=9,forward_general=2,width=6,window=320,"
      "misses=24" +
      latencies);
  return options;
}

Counters Measure(const std::string& kernel, long iterations = kIterations,
                 const std::vector<std::string>& options = Options()) {
  ToolRun run = RunTool(options, {"chains", kernel, std::to_string(iterations)});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Counters counters = run.At(1, 1);
  uint64_t sum = 0;
  for (int c = ROOF_C_WINDOW_FP_CYCLES; c <= ROOF_C_WINDOW_ISSUE_CYCLES; ++c)
    sum += counters[static_cast<size_t>(c)];
  EXPECT_EQ(sum, counters[ROOF_C_WINDOW_CYCLES]) << kernel;
  return counters;
}

// What the windows say, for all instructions of the loop.
double CyclesPerIteration(const Counters& c, long iterations = kIterations) {
  return static_cast<double>(c[ROOF_C_WINDOW_CYCLES]) /
         static_cast<double>(c[ROOF_C_WINDOW_INSTRUCTIONS]) *
         static_cast<double>(c[ROOF_C_INSTRUCTIONS]) / static_cast<double>(iterations);
}
double Share(const Counters& c, int cause) {
  return static_cast<double>(c[static_cast<size_t>(cause)]) /
         static_cast<double>(c[ROOF_C_WINDOW_CYCLES]);
}

TEST(ToolWindows, FollowChainsOfArithmetic) {
  struct Case {
    const char* kernel;
    double cycles;
    int cause;
  };
  for (const Case& c :
       {Case{"near_add", 3, ROOF_C_WINDOW_FP_CYCLES}, Case{"near_add2", 3, ROOF_C_WINDOW_FP_CYCLES},
        Case{"near_mul", 5, ROOF_C_WINDOW_FP_CYCLES}, Case{"near_div", 13, ROOF_C_WINDOW_FP_CYCLES},
        Case{"near_imul", 3, ROOF_C_WINDOW_INTEGER_CYCLES},
        // Other chains beside it cost nothing, as long as they can enter.
        Case{"near_chains_2", 3, ROOF_C_WINDOW_FP_CYCLES},
        Case{"near_chains_4", 3, ROOF_C_WINDOW_FP_CYCLES},
        Case{"near_chains_8", 3, ROOF_C_WINDOW_FP_CYCLES},
        // One sum, and a quarter of it.
        Case{"near_sum", 3, ROOF_C_WINDOW_FP_CYCLES},
        Case{"near_sum_of_4", 3, ROOF_C_WINDOW_FP_CYCLES},
        // Gauss-Seidel waits for what the iteration before it computed.
        Case{"near_sweep", 8, ROOF_C_WINDOW_FP_CYCLES}}) {
    const Counters counters = Measure(c.kernel);
    EXPECT_NEAR(CyclesPerIteration(counters), c.cycles, 0.01 * c.cycles) << c.kernel;
    EXPECT_GT(Share(counters, c.cause), 0.99) << c.kernel;
  }
  // Only its own counter is a chain of one cycle.
  EXPECT_LT(CyclesPerIteration(Measure("near_broken")), 1.01);
}

TEST(ToolWindows, FollowFusedOperations) {
  if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this CPU has no fused operations";
  const Counters fma = Measure("near_fma");
  EXPECT_NEAR(CyclesPerIteration(fma), 4, 0.04);
  EXPECT_GT(Share(fma, ROOF_C_WINDOW_FP_CYCLES), 0.99);
}

// Many chains take as long as it takes them to enter: 18 instructions, four a cycle.
TEST(ToolWindows, ManyChainsAreNoChain) {
  const Counters many = Measure("near_chains_16", kIterations, Options(",width=4"));
  EXPECT_NEAR(CyclesPerIteration(many), 4.5, 0.1);
  EXPECT_GT(Share(many, ROOF_C_WINDOW_ISSUE_CYCLES), 0.9);
}

// Neither a triad nor a product of matrices waits for itself.
TEST(ToolWindows, CallNothingAChainThatIsNone) {
  for (const char* kernel : {"near_triad", "near_dgemm"}) {
    const Counters c = Measure(kernel);
    EXPECT_GT(Share(c, ROOF_C_WINDOW_ISSUE_CYCLES), 0.5) << kernel;
    EXPECT_LT(CyclesPerIteration(c), 2.5) << kernel;
  }
}

TEST(ToolWindows, FollowMemory) {
  const Counters spill = Measure("near_spill");
  EXPECT_NEAR(CyclesPerIteration(spill), 12, 0.1);
  EXPECT_NEAR(Share(spill, ROOF_C_WINDOW_FORWARD_CYCLES), 0.75, 0.01);
  const Counters near = Measure("near_chase");
  EXPECT_NEAR(CyclesPerIteration(near), 4, 0.04);
  EXPECT_GT(Share(near, ROOF_C_WINDOW_L1_CYCLES), 0.99);
  // Seven of eight lines of the last level's eightfold are not in it.
  const Counters far = Measure("chase");
  EXPECT_GT(CyclesPerIteration(far), 250);
  EXPECT_LT(CyclesPerIteration(far), 301);
  EXPECT_GT(Share(far, ROOF_C_WINDOW_DRAM_CYCLES), 0.95);
  // The return addresses are no chain.
  EXPECT_LT(CyclesPerIteration(Measure("near_call")), 1.5);
}

// The order of accesses beyond the last level is what a gather and a stream differ by.
TEST(ToolWindows, TellGathersFromStreams) {
  for (const char* kernel : {"gather", "gups"}) {
    const Counters gather = Measure(kernel);
    EXPECT_GT(CyclesPerIteration(gather), 0.8 * 303 / 24) << kernel;
    EXPECT_LT(CyclesPerIteration(gather), 1.05 * 303 / 24) << kernel;
    EXPECT_GT(Share(gather, ROOF_C_WINDOW_IN_FLIGHT_CYCLES), 0.7) << kernel;
    EXPECT_LT(Share(gather, ROOF_C_WINDOW_DRAM_CYCLES), 0.1) << kernel;
  }
  const Counters stream = Measure("stream");
  EXPECT_LT(CyclesPerIteration(stream), 2);
}

bool KernelHasHugePages() {
  return access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) == 0;
}

// More pages than both TLBs have, in random order: they know so many of 8,192, the first few. Of
// the first window's pages, which have not filled them yet, less is known: it is one of many.
TEST(ToolWindows, FollowWalksThroughPageTables) {
  if (!KernelHasHugePages()) GTEST_SKIP() << "small pages are told from huge ones";
  const double known = (5120. + 256) / 8192, first = 256. / 8192;
  const double pages = (1 - known) * 200 + (known - first) * 20;
  for (const auto& [kernel, without] :
       {std::pair{"wide_chase", 300.}, {"wide_gather", 303. / 24}}) {
    constexpr long kMany = 3 * kIterations;
    const auto with = Options(",second_tlb=20,walk_cache=100,walk_dram=200");
    const double cycles = CyclesPerIteration(Measure(kernel, kMany), kMany);
    EXPECT_NEAR(cycles, without, 0.06 * without) << kernel;
    const double expected = cycles + pages * without / 300;
    const Counters counters = Measure(kernel, kMany, with);
    EXPECT_NEAR(CyclesPerIteration(counters, kMany), expected, 0.03 * expected) << kernel;
    EXPECT_NEAR(Share(counters, ROOF_C_WINDOW_TLB_CYCLES), 1 - cycles / expected, 0.03) << kernel;
  }
}

// Half as many as the second one has: 8 MB.
TEST(ToolWindows, FollowLoadsWhosePagesTheSecondTlbHas) {
  const auto with = Options(",second_tlb=20,walk_cache=100,walk_dram=200");
  const double cycles = CyclesPerIteration(Measure("chase"));
  const double longer = CyclesPerIteration(Measure("chase", kIterations, with)) - cycles;
  EXPECT_LT(longer, 20);
  // Less than all if the kernel may give huge pages.
  EXPECT_TRUE(longer == 0 || longer > 0.8 * 20) << longer;
}

TEST(ToolWindows, AreOneInstructionOfAHundred) {
  const Counters c = Measure("near_add", 10 * kIterations);
  const double windows = static_cast<double>(c[ROOF_C_WINDOW_INSTRUCTIONS]);
  EXPECT_NEAR(windows / static_cast<double>(c[ROOF_C_INSTRUCTIONS]), 0.009, 0.001);
}

// With windows or without, the same is counted.
TEST(ToolWindows, LeaveCountsAlone) {
  for (const char* kernel : {"stream", "near_spill", "gather"}) {
    const Counters with = Measure(kernel), without = Measure(kernel, kIterations, SmallCaches());
    EXPECT_EQ(without[ROOF_C_WINDOW_CYCLES], 0u);
    for (size_t c = 0; c < ROOF_C_WINDOW_INSTRUCTIONS; ++c)
      EXPECT_EQ(with[c], without[c]) << kernel << " " << c;
  }
}

TEST(ToolWindows, AreRefusedWhereTheyCannotBe) {
  const auto refusal = [](const std::vector<std::string>& options) {
    const ToolRun run = RunTool(options, {"chains", "near_add", "10"});
    EXPECT_EQ(run.exit_code, 2);
    return run.out + run.err;
  };
  EXPECT_NE(refusal({"--latencies="}).find("expected --count=cache"), std::string::npos);
  EXPECT_NE(refusal(Options(",nothing=3")).find("nothing=3"), std::string::npos);
  std::vector<std::string> sampled = Options();
  sampled.push_back("--line-sampling=16");
  EXPECT_NE(refusal(sampled).find("expected --line-sampling=1"), std::string::npos);
}

}  // namespace
}  // namespace roofmark
