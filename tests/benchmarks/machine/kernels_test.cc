// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>

#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/frequency.h"
#include "benchmarks/machine/memory_load.h"

namespace roofmark {
namespace {

std::string Describe(const ComputeKernel& kernel) {
  return std::string(ArithmeticName(kernel.arithmetic)) + " " +
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

TEST(MemoryLoad, ComputesWhatItMustInAnySetting) {
  for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kReadFour, MemoryKind::kCopy,
                                MemoryKind::kTriad, MemoryKind::kTriadNt}) {
    for (const size_t bytes : {size_t{24} << 10, size_t{300} << 10, size_t{3} << 20}) {
      MemoryLoad load(kind, bytes, 1);
      ASSERT_TRUE(load.Prepare(0));
      load.Warm(0, 3);
      load.Run(0, 3);
      EXPECT_TRUE(load.Check(0)) << GetInfo(kind).name << " " << bytes;
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
  for (const MemoryKind kind : {MemoryKind::kTriad, MemoryKind::kCopy, MemoryKind::kTriadNt,
                                MemoryKind::kRead, MemoryKind::kReadFour}) {
    MemoryLoad load(kind, slabs[0].size(), &slabs, 1, MemoryLoad::Before::kEvict);
    ASSERT_TRUE(load.Prepare(0));
    for (int i = 0; i < 9; ++i) {
      load.Warm(0, 5);
      load.Run(0, 5);  // several times around
      EXPECT_TRUE(load.Check(0)) << GetInfo(kind).name;
    }
    EXPECT_LE(load.MostRepeats(), 3u);
  }
}

TEST(MemoryKernels, AreCaughtWhenAnElementIsWrong) {
  Buffer buffer(3 * 4096 * sizeof(double));
  Arrays arrays;
  const size_t count = SplitArrays(3, buffer.data(), buffer.size(), &arrays);
  ASSERT_EQ(count, 4096u);
  FillArrays(arrays, count);
  RunMemory(MemoryKind::kTriad, arrays, 0, count, 1);
  EXPECT_TRUE(CheckMemory(MemoryKind::kTriad, arrays, 0, count, 1, 0));
  arrays.a[count - 1] += 1;
  EXPECT_FALSE(CheckMemory(MemoryKind::kTriad, arrays, 0, count, 1, 0));
  const double sum = RunMemory(MemoryKind::kRead, arrays, 0, count, 2);
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
