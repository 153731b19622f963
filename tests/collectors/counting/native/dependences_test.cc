// SPDX-License-Identifier: BSD-3-Clause
//
// The time by dependences of known loops, on a core of fixed latencies, natively and beside that of
// the Valgrind engine. Windows of the two lie at different places of the run. There are two of them
// in a million iterations, so that loops which read at random differ more.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace roofmark::test {
namespace {

constexpr long kIterations = 1000000;
constexpr char kLatencies[] =
    "dp_add=3,dp_mul=5,dp_fma=4,dp_div=13,int=1,int_mul=3,load_l1=4,load_l2=14,load_l3=50,"
    "load_dram=300,load_vector=3,forward_vector=9,forward_general=2,width=6,window=320,misses=24";

constexpr char kCaches[] = "L1:32K:8,L2:256K:8,L3:1M:16";

JobProfile Execute(const std::string& engine, const std::vector<std::string>& command,
                   const std::string& latencies, const std::string& sample = "1",
                   const std::string& caches = kCaches) {
  const TempDir directory;
  const std::string output = directory.File("run.json");
  const Ended ended = test::Run(command, {{"ROOFMARK_COLLECTOR", "counting"},
                                          {"ROOFMARK_ENGINE", engine},
                                          {"ROOFMARK_COUNT", "cache"},
                                          {"ROOFMARK_CACHE", caches},
                                          {"ROOFMARK_SAMPLE", sample},
                                          {"ROOFMARK_LATENCIES", latencies},
                                          {"ROOFMARK_OUTPUT", output},
                                          {"OMP_NUM_THREADS", "2"},
                                          {"LD_BIND_NOW", "1"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  JobProfile job = ReadRoofline(output).job;
  EXPECT_EQ(job.run.passes.at(0).facts.at("engine"), engine);
  EXPECT_EQ(job.run.passes.at(0).facts.count("incomplete"), 0u);
  return job;
}

JobProfile Count(const std::string& engine, const std::string& kernel,
                 const std::string& latencies = kLatencies, const std::string& sample = "1") {
  return Execute(engine, {ROOFMARK_GUESTS "/marked_chains", kernel, std::to_string(kIterations)},
                 latencies, sample);
}

double Of(const JobProfile& job, MetricId id) {
  const int path = job.FindPath("counted");
  EXPECT_GE(path, 0);
  return path < 0 ? 0 : static_cast<double>(job.At(static_cast<size_t>(path), id).Sum());
}
double CyclesPerIteration(const JobProfile& job) {
  return Of(job, metric::kDependenceCycles) / static_cast<double>(kIterations);
}
double Share(const JobProfile& job, MetricId id) {
  return Of(job, id) / Of(job, metric::kDependenceCycles);
}

const CriticalPlace& CriticalOf(const JobProfile& job) {
  return job.paths.at(static_cast<size_t>(job.FindPath("counted"))).critical;
}

struct Chain {
  const char* kernel;
  double cycles;
  MetricId cause;
};
void PrintTo(const Chain& chain, std::ostream* out) { *out << chain.kernel; }

class NativeDependences : public testing::TestWithParam<Chain> {};

TEST_P(NativeDependences, ChainsTakeAsLongAsTheirOperations) {
  const Chain& chain = GetParam();
  if (std::string(chain.kernel) == "near_fma" && !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this CPU has no fused operations";
  }
  const JobProfile job = Count("native", chain.kernel);
  EXPECT_NEAR(CyclesPerIteration(job), chain.cycles, 0.01 * chain.cycles);
  EXPECT_GT(Share(job, chain.cause), 0.99);
}

INSTANTIATE_TEST_SUITE_P(Loops, NativeDependences,
                         testing::Values(Chain{"near_add", 3, metric::kDependenceFpCycles},
                                         Chain{"near_mul", 5, metric::kDependenceFpCycles},
                                         Chain{"near_div", 13, metric::kDependenceFpCycles},
                                         Chain{"near_fma", 4, metric::kDependenceFpCycles},
                                         Chain{"near_imul", 3, metric::kDependenceAddressCycles},
                                         Chain{"near_chains_8", 3, metric::kDependenceFpCycles},
                                         Chain{"near_sum", 3, metric::kDependenceFpCycles},
                                         Chain{"near_sweep", 8, metric::kDependenceFpCycles},
                                         Chain{"near_chase", 4, metric::kDependenceAddressCycles}),
                         [](const auto& test) { return std::string(test.param.kernel); });

struct Held {
  const char* kernel;
  double cycles, near;
  MetricId cause;
  double share;
};
void PrintTo(const Held& held, std::ostream* out) { *out << held.kernel; }

class WhatHoldsCores : public testing::TestWithParam<Held> {};

TEST_P(WhatHoldsCores, IsTheSameOnBothEngines) {
  const Held& held = GetParam();
  const std::string core =
      std::string(kLatencies) + ",mispredicted=20,atomic=18,units_compare=3,loads=2,stores=1";
  for (const char* engine : {"native", "valgrind"}) {
    SCOPED_TRACE(engine);
    const JobProfile job = Count(engine, held.kernel, core);
    EXPECT_NEAR(CyclesPerIteration(job), held.cycles, held.near);
    EXPECT_GE(Share(job, held.cause), held.share);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Loops, WhatHoldsCores,
    // A product, a sum, and every second time a bit test and a misprediction.
    testing::Values(Held{"near_random", 4 + (1 + 20) / 2.0, 0.7, metric::kDependenceBranchCycles,
                         0.7},
                    Held{"near_regular", 4, 0.1, metric::kDependenceAddressCycles, 0.95},
                    Held{"near_atomic", 18, 0.2, metric::kDependenceAtomicCycles, 0.95},
                    // Four on two units.
                    Held{"near_minima", 2, 0.05, metric::kDependenceUnitsCycles, 0.9}),
    [](const auto& test) { return std::string(test.param.kernel); });

// 9 cycles through memory and 5 of a product.
TEST(NativeDependences, GoThroughRegistersAndMasksOfAvx512) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (EvexOperands has the same loop, simulated)";
  }
  const JobProfile job = Count("native", "near_sweep_512");
  EXPECT_NEAR(CyclesPerIteration(job), 9 + 5, 0.01 * (9 + 5));
  EXPECT_NEAR(Share(job, metric::kDependenceForwardCycles), 9.0 / (9 + 5), 0.01);
}

TEST(NativeDependences, AreThoseOfValgrind) {
  struct Loop {
    const char* kernel;
    double part;  // by which it may differ
  };
  int lines = 0;
  for (const auto& [kernel, part] :
       {Loop{"near_spill", 0.01}, Loop{"chase", 0.03}, Loop{"gather", 0.05}, Loop{"gups", 0.05},
        Loop{"stream", 0.02}, Loop{"triad", 0.02}, Loop{"near_call", 0.01},
        Loop{"near_dgemm", 0.02}, Loop{"near_broken", 0.01}, Loop{"near_chains_16", 0.01}}) {
    SCOPED_TRACE(kernel);
    const JobProfile native = Count("native", kernel), other = Count("valgrind", kernel);
    const double expected = CyclesPerIteration(other);
    EXPECT_GT(expected, 0.3);
    EXPECT_NEAR(CyclesPerIteration(native), expected, part * expected);
    for (MetricId id = metric::kFirstDependence; id <= metric::kLastDependence; ++id) {
      EXPECT_NEAR(Share(native, id), Share(other, id), 0.03) << GetMetric(id).name;
    }
    const CriticalPlace &here = CriticalOf(native), &there = CriticalOf(other);
    EXPECT_NEAR(here.Share(), there.Share(), 0.03);
    if (there.Share() < 0.6) continue;  // two lines take turns
    EXPECT_EQ(here.file, there.file);
    EXPECT_EQ(here.line, there.line);
    ++lines;
  }
  EXPECT_GE(lines, 5);
}

// 8 MB, of which the second TLB has all pages, and 32 MB, of which it has half. In the first window
// less is known of pages: it is one of many.
TEST(NativeDependences, WalkThroughPageTablesAsThoseOfValgrindDo) {
  const std::string latencies =
      std::string(kLatencies) + ",second_tlb=20,walk_cache=100,walk_dram=200";
  for (const char* kernel : {"chase", "wide_chase", "wide_gather"}) {
    SCOPED_TRACE(kernel);
    const std::vector<std::string> command = {ROOFMARK_GUESTS "/marked_chains", kernel,
                                              std::to_string(3 * kIterations)};
    const JobProfile job = Execute("native", command, latencies);
    const JobProfile under_valgrind = Execute("valgrind", command, latencies);
    const double native = CyclesPerIteration(job), other = CyclesPerIteration(under_valgrind);
    EXPECT_NEAR(native, other, 0.03 * other);
    EXPECT_NEAR(Share(job, metric::kDependenceTlbCycles),
                Share(under_valgrind, metric::kDependenceTlbCycles), 0.03);
    if (std::string(kernel) == "chase") continue;
    EXPECT_GT(native, 1.15 * CyclesPerIteration(Execute("native", command, kLatencies)));
  }
}

// Windows simulate their accesses one by one, in their order.
TEST(NativeDependences, ChangeNoOtherCount) {
  for (const char* kernel : {"chase", "stream"}) {
    SCOPED_TRACE(kernel);
    const JobProfile with = Count("native", kernel), without = Count("native", kernel, "off");
    EXPECT_EQ(Of(without, metric::kDependenceCycles), 0);
    for (MetricId id = 0; id <= metric::kNtStoreBytes; ++id) {
      const bool counted = id < kFlopClasses || id >= metric::kInstructions;
      if (!counted) continue;
      EXPECT_EQ(Of(with, id), Of(without, id)) << GetMetric(id).name;
    }
    for (MetricId id = metric::kL1ReadBytes; id <= metric::kDramWriteBytes; ++id) {
      EXPECT_NEAR(Of(with, id), Of(without, id), 40 * 64) << GetMetric(id).name;
    }
  }
}

// Each thread has its windows, masked accesses and gathers in them. Their last level has room for
// all that the program wrote: else what one finds there depends on how far the other one is.
TEST(NativeDependences, OfSeveralThreadsAreThoseOfValgrind) {
  for (const char* kernel : {"stencil", "spmv", "force"}) {
    SCOPED_TRACE(kernel);
    const auto cycles = [&](const char* engine) {
      return Of(Execute(engine, {ROOFMARK_GUESTS "/placed_v3", kernel, "4"}, kLatencies, "1",
                        "L1:32K:8,L2:256K:8,L3:64M:16"),
                metric::kDependenceCycles);
    };
    const double native = cycles("native"), other = cycles("valgrind");
    EXPECT_GT(other, 100'000);
    EXPECT_NEAR(native, other, 0.03 * other);
  }
}

// Where accesses of other lines are found is estimated.
TEST(NativeDependences, OfSampledLinesAreNearlyThoseOfAll) {
  const std::string latencies =
      std::string(kLatencies) + ",second_tlb=20,walk_cache=100,walk_dram=200";
  for (const char* kernel : {"near_add", "near_spill", "near_dgemm", "stream", "triad", "gather",
                             "gups", "chase", "wide_chase", "wide_gather"}) {
    SCOPED_TRACE(kernel);
    // In the first window less is known of pages.
    const bool is_wide = std::string(kernel).starts_with("wide_");
    const std::vector<std::string> command = {ROOFMARK_GUESTS "/marked_chains", kernel,
                                              std::to_string((is_wide ? 4 : 1) * kIterations)};
    const JobProfile all = Execute("native", command, latencies);
    const JobProfile sampled = Execute("native", command, latencies, "16");
    EXPECT_NEAR(CyclesPerIteration(sampled), CyclesPerIteration(all),
                0.05 * CyclesPerIteration(all));
    for (MetricId id = metric::kFirstDependence; id <= metric::kLastDependence; ++id) {
      EXPECT_NEAR(Share(sampled, id), Share(all, id), 0.05) << GetMetric(id).name;
    }
  }
}

}  // namespace
}  // namespace roofmark::test
