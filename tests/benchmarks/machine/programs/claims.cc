// SPDX-License-Identifier: BSD-3-Clause
//
// Runs every kernel of the machine's ceilings in two regions, a short and a long one, and prints
// what the long one claims to do more: "<region> <metric> <value>". The difference is free of what
// a call does before and after its loop. Metrics as in the metric table, "traffic" for DRAM's.
#include <roofmark/roofmark.h>

#include <cstdio>
#include <string>
#include <vector>

#include "benchmarks/machine/chase_load.h"
#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/memory_load.h"
#include "benchmarks/machine/random_load.h"
#include "benchmarks/machine/sweep.h"
#include "lib/core/metric.h"

namespace roofmark {
namespace {

constexpr uint64_t kShort = 20, kLong = 120;
constexpr uint64_t kMore = kLong - kShort;

void Claim(const std::string& region, const std::string& metric, double value) {
  std::printf("%s %s %.0f\n", region.c_str(), metric.c_str(), value);
}

// `call` runs a kernel for a number of iterations, `before` prepares it outside of the region.
template <class Call, class Before>
void InRegions(const std::string& region, const Call& call, const Before& before) {
  for (const auto& [suffix, count] : {std::pair{".short", kShort}, std::pair{".long", kLong}}) {
    const std::string name = region + suffix;
    before(count);
    roofmark_begin(name.c_str());
    call(count);
    roofmark_end(name.c_str());
  }
}

template <class Call>
void InRegions(const std::string& region, const Call& call) {
  InRegions(region, call, [](uint64_t) {});
}

FlopKind FirstKind(ComputeKind kind) {
  switch (kind) {
    case ComputeKind::kChain:
    case ComputeKind::kAdd:
      return FlopKind::kAdd;
    case ComputeKind::kMul:
    case ComputeKind::kMulAdd:
      return FlopKind::kMul;
    case ComputeKind::kFma:
    case ComputeKind::kFmaAdd:
      return FlopKind::kFma;
    case ComputeKind::kDiv:
      return FlopKind::kDiv;
    case ComputeKind::kSqrt:
      return FlopKind::kSqrt;
  }
  return FlopKind::kAdd;
}

void ClaimCompute(const std::string& region, const ComputeKernel& kernel) {
  const auto precision = static_cast<Precision>(kernel.arithmetic);
  const auto metric = [&](FlopKind kind) {
    return GetMetric(FlopMetric(precision, kernel.width, kind)).name;
  };
  const double steps = 2.0 * kernel.lanes * kMore, added = steps * kernel.added_chains;
  const FlopKind first = FirstKind(kernel.kind);
  const double flops = kernel.flops_per_iteration * kMore;
  Claim(region, metric(first), flops - added);
  // The additions of square roots keep their operands in range, run beside them, and are no claim.
  if (kernel.added_chains > 0) Claim(region, metric(FlopKind::kAdd), added);
  if (first == FlopKind::kSqrt) Claim(region, metric(FlopKind::kAdd), flops);
  if (kernel.one_in > 1) {
    Claim(region, "instructions", 2.0 * kernel.chains * kernel.one_in * kMore);
    Claim(region, "fp_instructions", 2.0 * kernel.chains * kMore);
  }
}

void Compute() {
  int number = 0;
  std::vector<double> results(ComputeKernel::kMostResults);
  for (const ComputeKernel& kernel : ComputeKernels()) {
    const std::string region = std::string(InfoOf(kernel.arithmetic).name) + "." +
                               std::string(ComputeKindName(kernel.kind)) + "." +
                               std::to_string(kernel.lanes) + "." + std::to_string(number++);
    ClaimCompute(region, kernel);
    InRegions(region, [&](uint64_t count) { kernel.run(count, results.data()); });
  }
}

constexpr MemoryKernel kKernels[] = {
    {MemoryKind::kRead},
    {MemoryKind::kReadFour},
    {MemoryKind::kReadTwo},
    {MemoryKind::kReadEight},
    {MemoryKind::kCopy},
    {MemoryKind::kTriad},
    {MemoryKind::kTriadNt},
    {MemoryKind::kStrided},
    {MemoryKind::kReadPrefetch, 1024},
    {MemoryKind::kTriadPrefetch, 1024},
};

// Bytes between core and L1, over few elements and over more.
void MemoryOfTheCore(const Arrays& arrays) {
  constexpr size_t kElements = 4 * kMemoryBlock;
  for (size_t i = 0; i < std::size(kKernels); ++i) {
    const std::string region = "core." + std::to_string(i);
    const double each = GetInfo(kKernels[i].kind).useful_bytes;
    const double stored = Reads(kKernels[i].kind) ? 0 : 8;
    Claim(region, "loads_bytes", (each - stored) * kElements * kMore);
    Claim(region, "stores_bytes", stored * kElements * kMore);
    InRegions(region,
              [&](uint64_t count) { RunMemory(kKernels[i], arrays, 0, kElements * count, 1); });
  }
}

// Bytes between the last level and DRAM, in arrays that are larger.
void MemoryOfDram(const Arrays& arrays, size_t count) {
  // Nothing unwritten of what was done before is left in the caches.
  RunMemory({MemoryKind::kRead}, arrays, 0, count, 1);
  for (size_t i = 0; i < std::size(kKernels); ++i) {
    const std::string region = "dram." + std::to_string(i);
    const MemoryKindInfo& info = GetInfo(kKernels[i].kind);
    Claim(region, "traffic",
          info.useful_bytes * info.allocating_factor * 2 * static_cast<double>(count));
    InRegions(region, [&](uint64_t passes) {
      RunMemory(kKernels[i], arrays, 0, count, passes == kShort ? 1 : 3);
    });
  }
}

void RandomAndChase(const std::vector<Buffer>& slabs) {
  RandomLoad random(slabs[0].size(), &slabs, {0});
  Claim("dram.random", "traffic", random.WorkPerRepeat() * kMore);
  InRegions(
      "dram.random", [&](uint64_t count) { random.Run(0, count); },
      [&](uint64_t count) { random.Warm(0, count); });
  Buffer buffer(size_t{64} << 10);
  ChaseLoad chase(&buffer);
  chase.Prepare(0);
  Claim("chase", "load_instructions", chase.WorkPerRepeat() * kMore);
  InRegions("chase", [&](uint64_t count) { chase.Run(0, count); });
}

void RunAll() {
  std::vector<Buffer> slabs;
  slabs.emplace_back(size_t{9} << 20);
  FillSlab(slabs[0]);
  Arrays arrays;
  const size_t count =
      SplitArrays(3, slabs[0].data(), slabs[0].size(), &arrays) / kMemoryBlock * kMemoryBlock;
  Compute();
  MemoryOfTheCore(arrays);
  MemoryOfDram(arrays, count);
  RandomAndChase(slabs);
}

}  // namespace
}  // namespace roofmark

int main() {
  roofmark::RunAll();
  return 0;
}
