// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "benchmarks/machine/branch_load.h"
#include "benchmarks/machine/chain_kernels.h"
#include "benchmarks/machine/chase_load.h"
#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/memory_load.h"
#include "benchmarks/machine/random_load.h"
#include "benchmarks/machine/sweep.h"
#include "benchmarks/machine/throughput_kernels.h"
#include "lib/core/frequency.h"

namespace roofmark {
namespace {

std::string Describe(const ComputeKernel& kernel) {
  return std::string(InfoOf(kernel.arithmetic).name) + " " +
         std::string(ComputeKindName(kernel.kind)) + ", 1 of " + std::to_string(kernel.one_in) +
         ", width " + std::to_string(static_cast<int>(kernel.width)) + " chains " +
         std::to_string(kernel.chains) + "+" + std::to_string(kernel.added_chains);
}

TEST(ComputeKernels, HaveTheirClosedForms) {
  for (const ComputeKernel& kernel : ComputeKernels()) {
    for (const uint64_t iterations : {uint64_t{0}, uint64_t{1}, uint64_t{77}, uint64_t{3000}}) {
      if (kernel.kind == ComputeKind::kSqrt && iterations == 0) continue;  // has not begun to tend
      std::array<double, ComputeKernel::kMostResults> results;
      kernel.run(iterations, results.data());
      EXPECT_TRUE(CheckResults(kernel, iterations, results.data()))
          << Describe(kernel) << " after " << iterations;
    }
  }
}

TEST(ComputeKernels, AreCaughtWhenOneLaneOrOneIterationIsMissing) {
  for (const ComputeKernel& kernel : ComputeKernels()) {
    std::array<double, ComputeKernel::kMostResults> results;
    kernel.run(500, results.data());
    const bool counts = kernel.kind != ComputeKind::kMul && kernel.kind != ComputeKind::kDiv &&
                        kernel.kind != ComputeKind::kSqrt && kernel.arithmetic != Arithmetic::kHalf;
    EXPECT_NE(CheckResults(kernel, 501, results.data()), counts) << Describe(kernel);
    const size_t last = (kernel.chains + kernel.added_chains) * kernel.lanes - 1;
    results[last] *= 1.001;
    EXPECT_FALSE(CheckResults(kernel, 500, results.data())) << Describe(kernel);
  }
}

TEST(ComputeKernels, CountTheirFlops) {
  for (const ComputeKernel& kernel : ComputeKernels()) {
    double first =
        kernel.kind == ComputeKind::kFma || kernel.kind == ComputeKind::kFmaAdd ? 2.0 : 1.0;
    if (kernel.arithmetic == Arithmetic::kBfloat16) first *= 2;  // pairs
    EXPECT_DOUBLE_EQ(kernel.flops_per_iteration,
                     2 * kernel.lanes * (first * kernel.chains + kernel.added_chains))
        << Describe(kernel);
  }
}

// At 10 GHz they would take longer than that: the compiler left none out.
TEST(ComputeKernels, AreExecuted) {
  constexpr uint64_t kIterations = 100'000;
  constexpr double kMostGhz = 10;
  for (const ComputeKernel& kernel : ComputeKernels()) {
    std::array<double, ComputeKernel::kMostResults> results;
    const auto begin = std::chrono::steady_clock::now();
    kernel.run(kIterations, results.data());
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    const double flops = static_cast<double>(kIterations) * kernel.flops_per_iteration;
    EXPECT_GT(took.count() * kMostGhz, flops / MostFlopsPerCycle(kernel, "")) << Describe(kernel);
  }
}

TEST(ChainKernels, ComputeWhatTheyMust) {
  std::set<std::string_view> names;
  for (const CoreKernel& kernel : ChainKernels()) {
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
    EXPECT_GE(kernel.operations, 64) << kernel.name;
    for (const uint64_t repeats : {uint64_t{0}, uint64_t{1}, uint64_t{7}, uint64_t{500}})
      EXPECT_EQ(kernel.run(repeats), kernel.expected(repeats)) << kernel.name;
    // No chain ends in a value that is quick to compute with.
    const double value = kernel.run(500);
    EXPECT_TRUE(std::isnormal(value)) << kernel.name;
  }
  EXPECT_GE(names.size(), 14u);
}

TEST(CoreLoads, CheckTheirLastRun) {
  for (const CoreKernel& kernel : ChainKernels()) {
    CoreKernel wrong = kernel;
    wrong.run = [](uint64_t) { return -7.0; };
    CoreLoad right(kernel), broken(wrong);
    right.Warm(0, 10);
    right.Run(0, 10);
    broken.Run(0, 10);
    EXPECT_TRUE(right.Check(0)) << kernel.name;
    EXPECT_FALSE(broken.Check(0)) << kernel.name;
    EXPECT_EQ(right.WorkPerRepeat(), kernel.operations);
  }
}

TEST(ThroughputKernels, ComputeWhatTheyMust) {
  std::vector<CoreKernel> kernels = ThroughputKernels();
  for (const CoreKernel& kernel : AtomicKernels()) kernels.push_back(kernel);
  std::set<std::string_view> names;
  for (const CoreKernel& kernel : kernels) {
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
    for (const uint64_t repeats : {uint64_t{0}, uint64_t{1}, uint64_t{7}, uint64_t{500}})
      EXPECT_EQ(kernel.run(repeats), kernel.expected(repeats)) << kernel.name << " " << repeats;
    EXPECT_NE(kernel.run(0), kernel.run(1)) << kernel.name << ": a result proves nothing";
  }
#if defined(__x86_64__)
  EXPECT_GE(names.size(), 13u);
#endif
}

// At 10 GHz and 12 in a cycle they would take longer than that.
TEST(ThroughputKernels, ExecuteAsManyAsTheyClaim) {
  constexpr uint64_t kRepeats = 20'000;
  for (const CoreKernel& kernel : ThroughputKernels()) {
    const auto begin = std::chrono::steady_clock::now();
    kernel.run(kRepeats);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    EXPECT_GT(took.count() * 120, static_cast<double>(kRepeats) * kernel.operations) << kernel.name;
  }
}

TEST(BranchLoad, CountsTheBranchesThatDoNotJump) {
  BranchLoad random(Outcomes::kRandom), one_way(Outcomes::kOneWay);
  constexpr uint64_t kRepeats = 10'000;
  const double branches = kRepeats * random.WorkPerRepeat();
  std::set<uint64_t> passed;
  for (int run = 0; run < 4; ++run) {
    for (BranchLoad* load : {&random, &one_way}) {
      load->Warm(0, 100);
      load->Run(0, kRepeats);
      EXPECT_TRUE(load->Check(0));
    }
    // The same numbers in each execution of this test; four deviations are 0.0035.
    EXPECT_NEAR(static_cast<double>(random.passed()) / branches, 0.5, 0.0035);
    EXPECT_EQ(static_cast<double>(one_way.passed()), branches / 2);
    passed.insert(random.passed());
  }
  EXPECT_GT(passed.size(), 1u) << "the same outcomes again, which a core may learn";
}

constexpr MemoryKernel kKernels[] = {{MemoryKind::kRead},
                                     {MemoryKind::kReadFour},
                                     {MemoryKind::kReadTwo},
                                     {MemoryKind::kReadEight},
                                     {MemoryKind::kCopy},
                                     {MemoryKind::kTriad},
                                     {MemoryKind::kTriadNt},
                                     {MemoryKind::kStrided},
                                     {MemoryKind::kReadPrefetch, 1024},
                                     {MemoryKind::kTriadPrefetch, 512}};

TEST(MemoryLoad, ComputesWhatItMustInAnySetting) {
  for (const MemoryKernel kernel : kKernels) {
    for (const size_t bytes : {size_t{24} << 10, size_t{300} << 10, size_t{3} << 20}) {
      MemoryLoad load(kernel, bytes, 1);
      ASSERT_TRUE(load.Prepare(0));
      load.Warm(0, 3);
      load.Run(0, 3);
      EXPECT_TRUE(load.Check(0)) << GetInfo(kernel.kind).name << " " << bytes;
      EXPECT_LE(load.WorkPerRepeat(), static_cast<double>(bytes));
      load.Finish(0);
    }
  }
}

TEST(MemoryLoad, WalksAroundASharedSlab) {
  std::vector<Buffer> slabs;
  slabs.emplace_back(size_t{3} << 20);
  Arrays arrays;
  FillArrays(arrays, SplitArrays(3, slabs[0].data(), slabs[0].size(), &arrays));
  for (const MemoryKernel kernel : kKernels) {
    MemoryLoad load(kernel, slabs[0].size(), &slabs, {0}, MemoryLoad::Before::kEvict);
    ASSERT_TRUE(load.Prepare(0));
    for (int i = 0; i < 9; ++i) {
      load.Warm(0, 5);
      load.Run(0, 5);  // several times around
      EXPECT_TRUE(load.Check(0)) << GetInfo(kernel.kind).name;
    }
    EXPECT_LE(load.MostRepeats(), 3u);
  }
}

TEST(MemoryLoad, UsesTheSlabsOfItsWorkersAsFarAsItIsTold) {
  std::vector<Buffer> slabs;
  for (int i = 0; i < 2; ++i) {
    slabs.emplace_back(size_t{6} << 20);
    FillSlab(slabs.back());
  }
  Arrays first, second;
  const size_t count = SplitArrays(3, slabs[0].data(), slabs[0].size(), &first);
  SplitArrays(3, slabs[1].data(), slabs[1].size(), &second);
  MemoryLoad load({MemoryKind::kTriad}, slabs[1].size() / 2, &slabs, {1},
                  MemoryLoad::Before::kEvict);
  ASSERT_TRUE(load.Prepare(0));
  for (int i = 0; i < 8; ++i) load.Run(0, load.MostRepeats());
  EXPECT_TRUE(load.Check(0));
  EXPECT_EQ(first.a[8], 0);  // not its slab
  EXPECT_NE(second.a[8], 0);
  EXPECT_NE(second.a[count / 2 - 4096], 0);
  EXPECT_EQ(second.a[count / 2 + 4096], 0);  // the other half
}

TEST(LineOrder, VisitsEveryLineOnce) {
  const LineOrder order(1000 * LineOrder::kLineBytes);
  ASSERT_EQ(order.lines(), 512u);
  std::set<uint64_t> lines;
  uint64_t state = 7;
  for (uint64_t i = 0; i < order.lines(); ++i) {
    state = order.Next(state);
    EXPECT_LT(order.Line(state), order.lines());
    lines.insert(order.Line(state));
  }
  EXPECT_EQ(lines.size(), order.lines());
  EXPECT_EQ(state, 7u);
}

TEST(RandomLoad, SumsWhatItVisits) {
  std::vector<Buffer> slabs;
  slabs.emplace_back(size_t{3} << 20);
  FillSlab(slabs.back());
  RandomLoad load(slabs[0].size(), &slabs, {0});
  const auto visit = [&load](uint64_t repeats) {
    load.Warm(0, repeats);
    load.Run(0, repeats);
  };
  for (int i = 0; i < 5; ++i) {
    visit(load.MostRepeats());
    EXPECT_TRUE(load.Check(0));
  }
  // Lines of the second third are zeros: a sum can tell the lines apart.
  *reinterpret_cast<double*>(slabs[0].data()) += 1;
  visit(load.MostRepeats() * 5);
  EXPECT_TRUE(load.Check(0));
  *reinterpret_cast<double*>(slabs[0].data()) += 1;
  EXPECT_FALSE(load.Check(0));
}

TEST(RandomLoad, KeepsMemoryOfItsOwnAndComesBackToWhatWasLongAgo) {
  RandomLoad load(uint64_t{1} << 20);
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(load.Prepare(0));
    for (int sample = 0; sample < 3; ++sample) {
      load.Warm(0, load.MostRepeats());
      EXPECT_FALSE(load.Check(0)) << "what Warm has visited is more";
      load.Run(0, load.MostRepeats());
      EXPECT_TRUE(load.Check(0));
    }
    load.Finish(0);
  }
}

TEST(ChaseLoad, KnowsWhereItsChainMustStand) {
  for (const uint64_t bytes : {uint64_t{32} << 10, uint64_t{16} << 20}) {
    ChaseLoad load(bytes);
    for (int round = 0; round < 2; ++round) {
      ASSERT_TRUE(load.Prepare(0));
      load.Warm(0, 1);
      load.Run(0, 1000);
      EXPECT_TRUE(load.Check(0)) << bytes;
      load.Finish(0);
    }
  }
  Buffer buffer(size_t{64} << 10);
  ChaseLoad given(&buffer);
  ASSERT_TRUE(given.Prepare(0));
  given.Run(0, 10);
  // A chain that was led astray.
  auto** first = reinterpret_cast<void**>(buffer.data());
  for (size_t line = 0; line < buffer.size() / 64; ++line) first[line * 8] = first;
  given.Run(0, 1);
  EXPECT_FALSE(given.Check(0));
}

// Its lines fill the sets of a cache as if they lay side by side.
TEST(ChaseLoad, OverPagesTouchesOneLineOfEachAndAllSetsAlike) {
  constexpr uint64_t kPages = 8192;
  for (const Pages kind : {Pages::kHuge, Pages::kSmall}) {
    ChaseLoad load = ChaseLoad::OverPages(kPages * 4096, kind);
    EXPECT_EQ(load.lines(), kPages);
    EXPECT_EQ(load.bytes(), kPages * 4096);
    std::set<uint64_t> pages;
    std::map<uint64_t, std::map<uint64_t, int>> in_set;
    for (uint64_t state = 0; state < kPages; ++state) {
      pages.insert(load.Offset(state) / 4096);
      for (const uint64_t sets : {64, 1024, 2048}) ++in_set[sets][load.Offset(state) / 64 % sets];
    }
    EXPECT_EQ(pages.size(), kPages);
    EXPECT_EQ(*pages.rbegin(), kPages - 1);
    for (const auto& [sets, lines] : in_set) {
      EXPECT_EQ(lines.size(), sets);
      for (const auto& [set, count] : lines) EXPECT_EQ(count, kPages / sets) << sets;
    }
    ASSERT_TRUE(load.Prepare(0));
    load.Warm(0, 1);
    load.Run(0, 1000);
    EXPECT_TRUE(load.Check(0));
    load.Finish(0);
  }
}

TEST(MemoryKernels, AreCaughtWhenAnElementIsWrong) {
  Buffer buffer(3 * 4096 * sizeof(double));
  Arrays arrays;
  const size_t count = SplitArrays(3, buffer.data(), buffer.size(), &arrays);
  ASSERT_EQ(count, 4096u);
  FillArrays(arrays, count);
  RunMemory({MemoryKind::kTriad}, arrays, 0, count, 1);
  EXPECT_TRUE(CheckMemory(MemoryKind::kTriad, arrays, 0, count, 1, 0));
  arrays.a[count - 1] += 1;
  EXPECT_FALSE(CheckMemory(MemoryKind::kTriad, arrays, 0, count, 1, 0));
  const double sum = RunMemory({MemoryKind::kRead}, arrays, 0, count, 2);
  EXPECT_TRUE(CheckMemory(MemoryKind::kRead, arrays, 0, count, 2, sum));
  EXPECT_FALSE(CheckMemory(MemoryKind::kRead, arrays, 0, count, 3, sum));
}

TEST(CoreGhz, IsAClockRate) {
  const double ghz = CoreGhz();
  EXPECT_GT(ghz, 0.2);
  EXPECT_LT(ghz, 8);
}

}  // namespace
}  // namespace roofmark
