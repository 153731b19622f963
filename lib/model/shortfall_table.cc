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

constexpr ShortfallInfo kTable[] = {
    {Shortfall::kFmaBalance, "fma_balance", "FMA", "too few FMAs", kCompute, Ease::kCompiler,
     "fusing multiplications with additions", "{} of the FLOPs are fused", ExtentKind::kShare,
     "every addition and multiplication at the best rate of its width: fused, or balanced",
     "2008 A.1.3", shortfalls::kFmaBalance},
    {Shortfall::kSimd, "simd", "SIMD", "too little SIMD", kCompute, Ease::kCompiler, "vectorising",
     "{} lanes used", ExtentKind::kFactor, "every operation in the widest registers", "2008 A.1.3",
     shortfalls::kSimd},
    {Shortfall::kDivides, "divides", "divides", "divisions and roots", kCompute, Ease::kLocalChange,
     "avoiding divisions and roots", "{} of the FLOPs are divisions or roots", ExtentKind::kShare,
     "multiplications in place of divisions and roots", "2018 §III-B", shortfalls::kDivides},
    {Shortfall::kInstructionMix, "instruction_mix", "instruction mix", "non-FP instructions",
     kCompute, Ease::kLocalChange, "executing fewer non-FP instructions",
     "{} of the instructions do FLOPs", ExtentKind::kShare, "only instructions that do FLOPs",
     "2008 A.1.4", shortfalls::kInstructionMix},
    {Shortfall::kIlp, "ilp", "ILP", "too little ILP", kCompute, Ease::kLocalChange,
     "unrolling with independent operations",
     "FP units are not fully used in the {} of cycles that do not wait for memory",
     ExtentKind::kRest, "no cycle beyond what the units need, of the cycles not stalled on memory",
     "2008 A.3", shortfalls::kIlp},
    {Shortfall::kDependences, "dependences", "dependences", "dependences", kCompute,
     Ease::kLocalChange, "breaking the chain (several sums at once, another order)",
     "operations that wait for each other are {} of the least time by dependences",
     ExtentKind::kShare, "no operation waits for another one", "2008 A.1.3, A.3",
     shortfalls::kDependences},
    {Shortfall::kThreadImbalance, "thread_imbalance", "thread imbalance", "thread imbalance",
     kCompute, Ease::kLocalChange, "sharing the work evenly",
     "the busiest thread does {}x the mean of its rank", ExtentKind::kFactor,
     "the same work on every thread of a rank", "2008 A.2.1", shortfalls::kThreadImbalance},
    {Shortfall::kRankImbalance, "rank_imbalance", "rank imbalance", "rank imbalance", kCompute,
     Ease::kLocalChange, "distributing the work evenly", "the busiest rank does {}x the mean",
     ExtentKind::kFactor, "the same work on every rank", "2008 A.2.1", shortfalls::kRankImbalance},
    {Shortfall::kPrefetch, "prefetch", "prefetch", "too little prefetching", kMemory,
     Ease::kLocalChange, "prefetching", "{} of the cycles wait for memory", ExtentKind::kShare,
     "no cycle stalled on memory", "2008 A.3", shortfalls::kPrefetch},
    {Shortfall::kLatency, "latency", "memory latency", "memory latency", kMemory,
     Ease::kLocalChange, "prefetching, or more loads at once",
     "loads from beyond L1 are {} of the least time by dependences", ExtentKind::kShare,
     "every load finds its data in L1", "2008 A.1.2, A.3", shortfalls::kLatency},
    {Shortfall::kStreams, "streams", "memory streams", "too few memory streams", kMemory,
     Ease::kLocalChange,
     "reading several at once (independent rows or parts of an array), or prefetching",
     "lines from DRAM come in {}", ExtentKind::kFactor, "lines come in as many streams as help",
     "2008 A.1.2", shortfalls::kStreams},
    {Shortfall::kSmallPages, "small_pages", "small pages", "small pages", kMemory, Ease::kCompiler,
     "using huge pages (with glibc: GLIBC_TUNABLES=glibc.malloc.hugetlb=1)",
     "{} of the memory lies in pages of 4 KiB", ExtentKind::kShare, "all memory in huge pages",
     "2008 A.1.2", shortfalls::kSmallPages},
    {Shortfall::kAffinity, "affinity", "affinity", "remote memory", kMemory, Ease::kLocalChange,
     "placing pages beside the cores that use them",
     "at least {} of the traffic goes to another package", ExtentKind::kShare,
     "the same traffic on every package", "2008 A.1.2", shortfalls::kAffinity},
    {Shortfall::kControllers, "controllers", "memory controllers", "uneven memory controllers",
     kMemory, Ease::kLocalChange, "spreading over the controllers",
     "the busiest memory controller moves {}x the mean", ExtentKind::kFactor,
     "the same traffic on each memory controller of a package (busiest / mean)", "2008 A.3",
     shortfalls::kControllers},
    {Shortfall::kConcurrency, "concurrency", "core concurrency", "traffic from few cores", kMemory,
     Ease::kLocalChange, "generating memory traffic from all cores",
     "traffic comes from {} of the cores", ExtentKind::kShare, "traffic from all cores",
     "2008 A.2.2, Little's law", shortfalls::kConcurrency},
    {Shortfall::kWriteAllocate, "write_allocate", "write-allocate", "write-allocate", kWall,
     Ease::kLocalChange, "storing with non-temporal instructions",
     "{} of the traffic fetches lines that are then overwritten", ExtentKind::kShare,
     "no line fetched that a store then overwrites", "2008 A.1.2", shortfalls::kWriteAllocate},
    {Shortfall::kCapacity, "capacity", "capacity misses", "capacity misses", kWall,
     Ease::kAlgorithm, "reusing what the caches hold (blocking)", "{} of the last-level misses",
     ExtentKind::kShare, "no capacity misses of the last level", "2008 §5", shortfalls::kCapacity},
    {Shortfall::kConflict, "conflict", "conflict misses", "conflict misses", kWall,
     Ease::kLocalChange, "padding arrays", "{} of the last-level misses", ExtentKind::kShare,
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
