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

namespace roofmark {

enum class Precision : uint8_t { kDouble, kSingle, kHalf };
enum class Width : uint8_t { kScalar, k128, k256, k512 };
enum class FlopKind : uint8_t { kAdd, kMul, kFma, kDiv, kSqrt };
inline constexpr size_t kPrecisions = 3, kWidths = 4, kFlopKinds = 5;
inline constexpr size_t kFlopClasses = kPrecisions * kWidths * kFlopKinds;

// Where a value belongs: values of package scope are summed over packages, not over threads.
enum class Scope : uint8_t { kThread, kProcess, kPackage };
std::string_view ScopeName(Scope scope);

// Index into the table; the first kFlopClasses are FLOPs by class, see FlopMetric().
using MetricId = uint16_t;

constexpr MetricId FlopMetric(Precision precision, Width width, FlopKind kind) {
  return static_cast<MetricId>(
      (static_cast<size_t>(precision) * kWidths + static_cast<size_t>(width)) * kFlopKinds +
      static_cast<size_t>(kind));
}

// The other metrics, after the FLOP classes.
namespace metric {
enum : MetricId {
  // Of counters that tell less than a class: by precision and width with a fused operation counting
  // as two (AnyKindFlops), by kind with all precisions together (MixedFlops).
  kFirstAnyKind = kFlopClasses,
  kFirstMixed = kFirstAnyKind + kPrecisions * kWidths,
  kVisits = kFirstMixed + kFlopKinds,  // times the region was entered
  kTimedVisits,  // visits that were measured (fewer than kVisits when sampled)
  kTimeNs,       // inclusive wall time of measured visits, scaled to all visits
  kDeclaredFlops,
  kDeclaredBytes,
  kInstructions,
  kFpInstructions,
  kFpOtherInstructions,
  kX87Transcendentals,
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
  kMissesCompulsory,
  kMissesCapacity,
  kMissesConflict,
  kCycles,
  kMemoryStallCycles,  // without progress, and a load outstanding
  kLastLevelMisses,    // lines
  kWorkers,            // threads that this region is averaged over
  kWorkerFlopsMax,     // FLOPs of the busiest of them
  kWorkerBytesMax,     // load + store bytes of the busiest of them
  kMetricCount
};
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
