// SPDX-License-Identifier: BSD-3-Clause
#include <iterator>

#include "lib/core/table.h"
#include "lib/model/shortfall.h"
#include "lib/model/shortfalls/balance.h"
#include "lib/model/shortfalls/cycles.h"
#include "lib/model/shortfalls/dependences.h"
#include "lib/model/shortfalls/misses.h"
#include "lib/model/shortfalls/packages.h"
#include "lib/model/shortfalls/pipes.h"
#include "lib/model/shortfalls/small_pages.h"
#include "lib/model/shortfalls/streams.h"

namespace roofmark {
namespace {

constexpr auto kCompute = CeilingAxis::kCompute;
constexpr auto kMemory = CeilingAxis::kMemory;
constexpr auto kWall = CeilingAxis::kWall;
constexpr auto kSaves = Promise::kSaves;
constexpr auto kMayGiveNothing = Promise::kMayGiveNothing;

constexpr ShortfallInfo kTable[] = {
    {Shortfall::kFmaBalance, "fma_balance", "FMA", "too few FMAs", kCompute, Ease::kCompiler,
     kSaves, "Fuse multiplications with additions", "", "{} of the FLOPs are fused",
     ExtentKind::kShare,
     "every addition and multiplication at the best rate of its width: fused, or balanced",
     "2008 A.1.3", shortfalls::kFmaBalance},
    {Shortfall::kSimd, "simd", "SIMD", "too little SIMD", kCompute, Ease::kCompiler, kSaves,
     "Vectorise", "", "{} lanes used", ExtentKind::kFactor,
     "every operation in the widest registers", "2008 A.1.3", shortfalls::kSimd},
    {Shortfall::kDivides, "divides", "divides", "divisions and roots", kCompute, Ease::kLocalChange,
     kSaves, "Avoid divisions and roots", "", "{} of the FLOPs are divisions or roots",
     ExtentKind::kShare, "multiplications in place of divisions and roots", "2018 §III-B",
     shortfalls::kDivides},
    {Shortfall::kInstructionMix, "instruction_mix", "instruction mix", "non-FP instructions",
     kCompute, Ease::kLocalChange, kSaves, "Execute fewer instructions without FLOPs", "",
     "{} of the instructions do FLOPs", ExtentKind::kShare, "only instructions that do FLOPs",
     "2008 A.1.4", shortfalls::kInstructionMix},
    {Shortfall::kIlp, "ilp", "ILP", "too little ILP", kCompute, Ease::kLocalChange, kSaves,
     "Unroll with independent operations", "",
     "FP units are not fully used in the {} of cycles that do not wait for memory",
     ExtentKind::kRest, "no cycle beyond what the units need, of the cycles not stalled on memory",
     "2008 A.3", shortfalls::kIlp},
    {Shortfall::kDependences, "dependences", "dependences", "dependences", kCompute,
     Ease::kLocalChange, kSaves, "Break the chain of operations",
     "several sums at once, another order",
     "each waits for the one before it in {} of the critical path", ExtentKind::kShare,
     "no operation waits for another one", "2008 A.1.3, A.3", shortfalls::kDependences},
    {Shortfall::kBranches, "branches", "mispredicted branches", "mispredicted branches", kCompute,
     Ease::kLocalChange, kMayGiveNothing, "Branch less on data, or sort it",
     "a mask or an arithmetic expression in place of the branch",
     "mispredicted branches are {} of the critical path", ExtentKind::kShare,
     "every branch goes the way that the core expects", "2008 A.3", shortfalls::kBranches},
    {Shortfall::kAtomics, "atomics", "atomics", "atomic updates", kCompute, Ease::kLocalChange,
     kSaves, "Avoid atomic updates", "a copy for each thread, colouring, or ranks without threads",
     "atomics are {} of the critical path", ExtentKind::kShare, "no atomic instruction", "2008 A.3",
     shortfalls::kAtomics},
    {Shortfall::kThreadImbalance, "thread_imbalance", "thread imbalance", "thread imbalance",
     kCompute, Ease::kLocalChange, kSaves, "Share the work evenly among threads", "",
     "the busiest thread does {}x the mean of its rank", ExtentKind::kFactor,
     "the same work on every thread of a rank", "2008 A.2.1", shortfalls::kThreadImbalance},
    {Shortfall::kRankImbalance, "rank_imbalance", "rank imbalance", "rank imbalance", kCompute,
     Ease::kLocalChange, kSaves, "Share the work evenly among ranks", "",
     "the busiest rank does {}x the mean", ExtentKind::kFactor, "the same work on every rank",
     "2008 A.2.1", shortfalls::kRankImbalance},
    {Shortfall::kPrefetch, "prefetch", "prefetch", "too little prefetching", kMemory,
     Ease::kLocalChange, kMayGiveNothing, "Prefetch", "", "{} of the cycles wait for memory",
     ExtentKind::kShare, "no cycle stalled on memory", "2008 A.3", shortfalls::kPrefetch},
    {Shortfall::kLatency, "latency", "memory latency", "memory latency", kMemory,
     Ease::kLocalChange, kMayGiveNothing, "Load more at once, or prefetch", "",
     "loads from beyond L1 are {} of the critical path", ExtentKind::kShare,
     "every load finds its data in L1", "2008 A.1.2, A.3", shortfalls::kLatency},
    {Shortfall::kStreams, "streams", "memory streams", "too few memory streams", kMemory,
     Ease::kLocalChange, kMayGiveNothing, "Read several streams at once, or prefetch",
     "independent rows or parts of an array", "lines from DRAM come in {}", ExtentKind::kFactor,
     "lines come in as many streams as help", "2008 A.1.2", shortfalls::kStreams},
    {Shortfall::kSmallPages, "small_pages", "small pages", "small pages", kMemory, Ease::kCompiler,
     kMayGiveNothing, "Use huge pages", "with glibc: GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
     "{} of the memory lies in pages of 4 KiB", ExtentKind::kShare, "all memory in huge pages",
     "2008 A.1.2", shortfalls::kSmallPages},
    {Shortfall::kAffinity, "affinity", "affinity", "remote memory", kMemory, Ease::kLocalChange,
     kSaves, "Place pages beside the cores that use them", "",
     "at least {} of the traffic goes to another package", ExtentKind::kShare,
     "the same traffic on every package", "2008 A.1.2", shortfalls::kAffinity},
    {Shortfall::kControllers, "controllers", "memory controllers", "uneven memory controllers",
     kMemory, Ease::kLocalChange, kSaves, "Spread the traffic over all memory controllers", "",
     "the busiest memory controller moves {}x the mean", ExtentKind::kFactor,
     "the same traffic on each memory controller of a package (busiest / mean)", "2008 A.3",
     shortfalls::kControllers},
    {Shortfall::kConcurrency, "concurrency", "core concurrency", "traffic from few cores", kMemory,
     Ease::kLocalChange, kSaves, "Use memory from all cores", "",
     "traffic comes from {} of the cores", ExtentKind::kShare, "traffic from all cores",
     "2008 A.2.2, Little's law", shortfalls::kConcurrency},
    {Shortfall::kWriteAllocate, "write_allocate", "write-allocate", "write-allocate", kWall,
     Ease::kLocalChange, kMayGiveNothing, "Do not fetch lines that are only overwritten",
     "non-temporal stores", "{} of the traffic fetches such lines", ExtentKind::kShare,
     "no line fetched that a store then overwrites", "2008 A.1.2", shortfalls::kWriteAllocate},
    {Shortfall::kCapacity, "capacity", "capacity misses", "capacity misses", kWall,
     Ease::kAlgorithm, kMayGiveNothing, "Reuse what the caches hold", "blocking",
     "{} of the last-level misses are due to capacity", ExtentKind::kShare,
     "no capacity misses of the last level", "2008 §5", shortfalls::kCapacity},
    {Shortfall::kConflict, "conflict", "conflict misses", "conflict misses", kWall,
     Ease::kLocalChange, kSaves, "Pad arrays", "",
     "{} of the last-level misses are due to conflicts", ExtentKind::kShare,
     "no conflict misses of the last level", "2008 §5", shortfalls::kConflict},
};
static_assert(std::size(kTable) == kShortfalls && InOrder(kTable));

constexpr bool AxesAreInOrder() {
  for (size_t i = 1; i < std::size(kTable); ++i) {
    if (kTable[i].axis < kTable[i - 1].axis) return false;
  }
  return true;
}
static_assert(AxesAreInOrder(), "each axis stacks its own");

}  // namespace

const ShortfallInfo& InfoOf(Shortfall shortfall) { return RowOf(kTable, shortfall); }
CeilingAxis AxisOf(Shortfall shortfall) { return InfoOf(shortfall).axis; }

}  // namespace roofmark
