// SPDX-License-Identifier: BSD-3-Clause
//
// The one table of stored metrics: what a path can carry. All are non-negative integers, so that
// sums over ranks are exact; ratios (GFLOP/s, intensity) are derived from sums, never stored.
#ifndef ROOFMARK_LIB_CORE_METRIC_H_
#define ROOFMARK_LIB_CORE_METRIC_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/core/table.h"

namespace roofmark {

enum class Precision : uint8_t { kDouble, kSingle, kHalf };
enum class Width : uint8_t { kScalar, k128, k256, k512 };
enum class FlopKind : uint8_t { kAdd, kMul, kFma, kDiv, kSqrt };
inline constexpr size_t kPrecisions = 3, kWidths = 4, kFlopKinds = 5;
inline constexpr size_t kFlopClasses = kPrecisions * kWidths * kFlopKinds;

// Their names, as they are part of the names of metrics and of machine ceilings.
inline constexpr Named<Precision> kPrecisionNames[] = {
    {Precision::kDouble, "dp"}, {Precision::kSingle, "sp"}, {Precision::kHalf, "hp"}};
inline constexpr Named<Width> kWidthNames[] = {
    {Width::kScalar, "scalar"}, {Width::k128, "128"}, {Width::k256, "256"}, {Width::k512, "512"}};
inline constexpr Named<FlopKind> kFlopKindNames[] = {{FlopKind::kAdd, "add"},
                                                     {FlopKind::kMul, "mul"},
                                                     {FlopKind::kFma, "fma"},
                                                     {FlopKind::kDiv, "div"},
                                                     {FlopKind::kSqrt, "sqrt"}};
static_assert(InOrder(kPrecisionNames, Precision::kHalf) && InOrder(kWidthNames, Width::k512) &&
              InOrder(kFlopKindNames, FlopKind::kSqrt));

constexpr std::string_view PrecisionName(Precision precision) {
  return RowOf(kPrecisionNames, precision).name;
}
constexpr std::string_view WidthName(Width width) { return RowOf(kWidthNames, width).name; }

// Where a value belongs: values of package scope are summed over packages, not over threads.
enum class Scope : uint8_t { kThread, kProcess, kPackage };
std::string_view ScopeName(Scope scope);
std::optional<Scope> ParseScope(std::string_view name);

// Index into the table; the first kFlopClasses are FLOPs by class, see FlopMetric().
using MetricId = uint16_t;

constexpr MetricId FlopMetric(Precision precision, Width width, FlopKind kind) {
  return static_cast<MetricId>(
      (static_cast<size_t>(precision) * kWidths + static_cast<size_t>(width)) * kFlopKinds +
      static_cast<size_t>(kind));
}

// The precisions that a counter may tell of where it tells nothing else: the three above, bfloat16,
// and all together.
enum class WholePrecision : uint8_t { kDouble, kSingle, kHalf, kBfloat16, kMixed };
inline constexpr size_t kWholePrecisions = 5;

// Events that a user chose (ROOFMARK_EVENTS): at most as many.
inline constexpr size_t kUserMetrics = 16;

// The other metrics, after the FLOP classes.
namespace metric {
enum : MetricId {
  // Of counters that tell less than a class: by precision and width with a fused operation counting
  // as two (AnyKindFlops), by kind with all precisions together (MixedFlops), by precision alone
  // (WholeFlops).
  kFirstAnyKind = kFlopClasses,
  kFirstMixed = kFirstAnyKind + kPrecisions * kWidths,
  kFirstWhole = kFirstMixed + kFlopKinds,
  kVisits = kFirstWhole + kWholePrecisions,  // times the region was entered
  kTimedVisits,  // visits that were measured (fewer than kVisits when sampled)
  kPauses,       // of the recording, while a visit was open: in its time, not in its counts
  kTimeNs,       // inclusive wall time of measured visits, scaled to all visits
  kMarkerNs,     // of it, at most: what the markers in it cost, an estimate
  kDeclaredFlops,
  kDeclaredBytes,
  kDeclaredOperations,  // of a name of the program's own: PathInfo::operation
  kInstructions,
  kFpInstructions,
  kFpOtherInstructions,
  kX87Transcendentals,
  kVnniOperations,  // of integers, in dot products of bytes and words: no FLOPs
  kLoadInstructions,
  kStoreInstructions,
  kBranchInstructions,
  kLoadBytes,
  kStoreBytes,
  kNtStoreBytes,
  kL1ReadBytes,   // into L1 from the level below
  kL1WriteBytes,  // out of L1 to the level below
  kL2ReadBytes,
  kL2WriteBytes,
  kL3ReadBytes,
  kL3WriteBytes,
  kDramReadBytes,
  kDramWriteBytes,
  kDramNtBytes,     // non-temporal share of kDramWriteBytes
  kDramDirtyBytes,  // written, still in the caches when the run ended
  kStoreFillBytes,  // of kL1ReadBytes: lines fetched for a store (write-allocate)
  kMissesCompulsory,
  kMissesCapacity,
  kMissesConflict,
  kCycles,
  kMemoryStallCycles,  // without progress, and a load outstanding
  kLastLevelMisses,    // lines
  // Of memory controllers, each package once: what its controllers moved while at least one of its
  // ranks was in the region.
  kPackageDramReadBytes,
  kPackageDramWriteBytes,
  kPackageDramBytes,  // reads and writes, which the controllers do not tell apart
  kPackageHbmReadBytes,
  kPackageHbmWriteBytes,
  kPackageTimeNs,    // time in which at least one of the package's ranks was in the region
  kPackageSharedNs,  // of it: some rank of the package was elsewhere, its traffic is in the bytes
  kPackageControllers,         // memory controllers
  kPackageControllerBytesMax,  // bytes of the busiest of them
  kApportionedDramBytes,  // a rank's share of its packages' bytes by last-level misses: an estimate
  kFirstUser,             // see UserMetric()
  kLastUser = kFirstUser + kUserMetrics - 1,
  kWorkers,         // threads that this region is averaged over
  kWorkerFlopsMax,  // FLOPs of the busiest of them
  kWorkerBytesMax,  // load + store bytes of the busiest of them
  kMpiNs,           // of kTimeNs: inside MPI
  kOutsideMpiNs,    // the rest of it
  // Of OpenMP's parallel regions that were begun in this region.
  kParallelNs,       // of kTimeNs: inside them
  kOpenMpBusyNs,     // of the threads' time in them: in their bodies, not waiting in OpenMP
  kOpenMpBusiestNs,  // of that, the busiest thread's in each of them
  kOpenMpWaitNs,     // of the threads' time in them: the rest
  // What the kernel did for the threads, where it was looked at (markers/kernel_watch.h).
  kPageFaults,   // that needed no disk
  kSystemNs,     // in which it worked
  kPreemptions,  // of threads that could have gone on
  // Of visits that are long beside a system call; where there is none, nothing is known.
  kLongestVisitNs,
  // What was executed inside MPI calls and inside OpenMP runtimes: in none of the counts above. In
  // the order of metric::kInstructionsApart and those after it.
  kFirstInMpi,
  kFirstInRuntime = kFirstInMpi + 5,
  kLastInRuntime = kFirstInRuntime + 4,
  // The least core cycles that the executed instructions take by their dependences, and what these
  // are spent on: see kDependenceCycles in metric.cc. Of one thread after the other.
  kDependenceCycles,
  kDependenceFpCycles,
  kDependenceAddressCycles,
  kDependenceForwardCycles,
  kDependenceMemoryCycles,
  kDependenceInFlightCycles,
  kDependenceWindowCycles,
  kDependenceTlbCycles,
  kDependenceUnitsCycles,
  kDependenceAtomicCycles,
  kDependenceBranchCycles,
  kDependenceIssueCycles,
  kWorkerDependenceCyclesMax,  // kDependenceCycles of the thread with most of them
  // Samples, which tell how many streams a region reads memory in: the first over the second.
  kWindowLines,        // that came from beyond the last level in windows of executed instructions
  kWindowStreamLines,  // of them: in the stream of each window that had most
  // Half the widths of the intervals of what was extrapolated from some visits to all: bytes
  // between L1 and the level below, L2 and the level below, the caches and DRAM; all FLOPs;
  // kTimeNs.
  kL1MarginBytes,
  kL2MarginBytes,
  kDramMarginBytes,
  kFlopsMargin,
  kTimeMarginNs,
  // Sums of the above, made for each rank: see lib/profile/totals.h.
  kFlops,
  kFlopsDp,  // FLOPs by Precision, in its order
  kFlopsSp,
  kFlopsHp,
  kDramBytes,
  kMetricCount,
  kFirstDependence = kDependenceCycles,
  kLastDependence = kDependenceIssueCycles,
  kFirstTotal = kFlops,
  kLastTotal = kDramBytes
};
// What is told of the work that is no region's own.
enum : MetricId { kInstructionsApart, kFlopsApart, kLoadsApart, kStoresApart, kDramApart };
}  // namespace metric

inline constexpr size_t kMetrics = metric::kMetricCount;

constexpr MetricId AnyKindFlops(Precision precision, Width width) {
  return static_cast<MetricId>(metric::kFirstAnyKind + static_cast<size_t>(precision) * kWidths +
                               static_cast<size_t>(width));
}
// kDiv: divisions and square roots together.
constexpr MetricId MixedFlops(FlopKind kind) {
  return static_cast<MetricId>(metric::kFirstMixed + static_cast<size_t>(kind));
}
constexpr MetricId WholeFlops(WholePrecision precision) {
  return static_cast<MetricId>(metric::kFirstWhole + static_cast<size_t>(precision));
}
// The i-th event of ROOFMARK_EVENTS; what it is stands in the profile's MetricSource. i <
// kUserMetrics.
constexpr MetricId UserMetric(size_t i) { return static_cast<MetricId>(metric::kFirstUser + i); }
constexpr bool IsUser(MetricId id) { return id >= metric::kFirstUser && id <= metric::kLastUser; }
constexpr bool IsTotal(MetricId id) {
  return id >= metric::kFirstTotal && id <= metric::kLastTotal;
}
constexpr MetricId PrecisionFlops(Precision precision) {
  return static_cast<MetricId>(metric::kFlopsDp + static_cast<size_t>(precision));
}
constexpr MetricId InMpi(MetricId what) {
  return static_cast<MetricId>(metric::kFirstInMpi + what);
}
constexpr MetricId InRuntime(MetricId what) {
  return static_cast<MetricId>(metric::kFirstInRuntime + what);
}
constexpr bool IsApart(MetricId id) {
  return id >= metric::kFirstInMpi && id <= metric::kLastInRuntime;
}
constexpr bool IsDependence(MetricId id) {
  return id >= metric::kFirstDependence && id <= metric::kLastDependence;
}
constexpr bool IsMargin(MetricId id) {
  return id >= metric::kL1MarginBytes && id <= metric::kTimeMarginNs;
}
constexpr bool IsOfWindowLines(MetricId id) {
  return id == metric::kWindowLines || id == metric::kWindowStreamLines;
}
// Of time inside MPI and in parallel regions, which only wrappers of their calls know.
constexpr bool IsOfWrappers(MetricId id) {
  return id >= metric::kMpiNs && id <= metric::kOpenMpWaitNs;
}
// What the kernel counts.
constexpr bool IsOfKernel(MetricId id) {
  return id >= metric::kPageFaults && id <= metric::kPreemptions;
}
// True for every metric that is a part of a region's FLOPs.
constexpr bool IsFlops(MetricId id) { return id < metric::kVisits; }

struct MetricInfo {
  std::string name;       // as in files: "visits", "time_ns", "flops_dp_256_fma", "dram_read_bytes"
  std::string_view unit;  // "count", "ns", "bytes", "flops", "lines"
  Scope scope;
  std::string_view doc;
};

// Thread-safe; the table is built once. `id` < kMetrics.
const MetricInfo& GetMetric(MetricId id);
std::optional<MetricId> FindMetric(std::string_view name);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_METRIC_H_
