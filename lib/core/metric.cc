// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/metric.h"

#include <array>
#include <vector>

namespace roofmark {
namespace {

constexpr std::array<Named<WholePrecision>, kWholePrecisions> kWholeNames = {
    {{WholePrecision::kDouble, "dp"},
     {WholePrecision::kSingle, "sp"},
     {WholePrecision::kHalf, "hp"},
     {WholePrecision::kBfloat16, "bf16"},
     {WholePrecision::kMixed, "mixed"}}};
static_assert(InOrder(kWholeNames));
constexpr Named<Scope> kScopeNames[] = {
    {Scope::kThread, "thread"}, {Scope::kProcess, "process"}, {Scope::kPackage, "package"}};
static_assert(InOrder(kScopeNames, Scope::kPackage));

struct Plain {
  MetricId id;
  std::string_view name, unit;
  Scope scope;
  std::string_view doc;
};

// Before and after the user's own.
constexpr std::array<Plain, metric::kFirstUser - metric::kVisits> kPlain = {{
    {metric::kVisits, "visits", "count", Scope::kProcess, "times the region was entered"},
    {metric::kTimedVisits, "timed_visits", "count", Scope::kProcess, "visits that were measured"},
    {metric::kPauses, "pauses", "count", Scope::kProcess,
     "pauses of the recording while a visit was open: in time_ns, not in what was counted"},
    {metric::kTimeNs, "time_ns", "ns", Scope::kProcess,
     "inclusive wall time, scaled to all visits"},
    {metric::kMarkerNs, "marker_ns", "ns", Scope::kProcess,
     "upper bound of the time of markers in time_ns: visits of this path and below, times the cost "
     "of a pair"},
    {metric::kDeclaredFlops, "declared_flops", "flops", Scope::kThread,
     "FLOPs declared by ROOF_REGION_WORK"},
    {metric::kDeclaredBytes, "declared_bytes", "bytes", Scope::kThread,
     "bytes declared by ROOF_REGION_WORK"},
    {metric::kDeclaredOperations, "declared_operations", "operations", Scope::kThread,
     "operations of a kind that the program names, declared by ROOF_REGION_OPERATIONS"},
    {metric::kInstructions, "instructions", "count", Scope::kThread, "instructions executed"},
    {metric::kFpInstructions, "fp_instructions", "count", Scope::kThread,
     "instructions that perform FLOPs"},
    {metric::kFpOtherInstructions, "fp_other_instructions", "count", Scope::kThread,
     "FP and SIMD compares, conversions, shuffles, logic and register moves"},
    {metric::kX87Transcendentals, "x87_transcendentals", "count", Scope::kThread,
     "x87 transcendental instructions"},
    {metric::kVnniOperations, "vnni_operations", "operations", Scope::kThread,
     "integer operations of dot products of bytes and words (VNNI), two a product: in no FLOPs"},
    {metric::kLoadInstructions, "load_instructions", "count", Scope::kThread,
     "instructions that read data memory"},
    {metric::kStoreInstructions, "store_instructions", "count", Scope::kThread,
     "instructions that write data memory"},
    {metric::kBranchInstructions, "branch_instructions", "count", Scope::kThread,
     "jumps, calls and returns"},
    {metric::kLoadBytes, "loads_bytes", "bytes", Scope::kThread, "bytes loaded by instructions"},
    {metric::kStoreBytes, "stores_bytes", "bytes", Scope::kThread, "bytes stored by instructions"},
    {metric::kNtStoreBytes, "nt_stores_bytes", "bytes", Scope::kThread,
     "bytes stored non-temporally"},
    {metric::kL1ReadBytes, "l1_read_bytes", "bytes", Scope::kThread,
     "bytes moved into L1 from the level below"},
    {metric::kL1WriteBytes, "l1_write_bytes", "bytes", Scope::kThread,
     "bytes written back from L1"},
    {metric::kL2ReadBytes, "l2_read_bytes", "bytes", Scope::kThread,
     "bytes moved into L2 from the level below"},
    {metric::kL2WriteBytes, "l2_write_bytes", "bytes", Scope::kThread,
     "bytes written back from L2"},
    {metric::kL3ReadBytes, "l3_read_bytes", "bytes", Scope::kThread,
     "bytes moved into L3 from DRAM"},
    {metric::kL3WriteBytes, "l3_write_bytes", "bytes", Scope::kThread,
     "bytes written back from L3"},
    {metric::kDramReadBytes, "dram_read_bytes", "bytes", Scope::kThread, "bytes read from DRAM"},
    {metric::kDramWriteBytes, "dram_write_bytes", "bytes", Scope::kThread, "bytes written to DRAM"},
    {metric::kDramNtBytes, "dram_nt_bytes", "bytes", Scope::kThread,
     "non-temporal share of dram_write_bytes"},
    {metric::kDramDirtyBytes, "dram_dirty_bytes", "bytes", Scope::kThread,
     "bytes written but still in the caches when the run ended"},
    {metric::kStoreFillBytes, "store_fill_bytes", "bytes", Scope::kThread,
     "share of l1_read_bytes that was fetched for a store (write-allocate)"},
    {metric::kMissesCompulsory, "misses_compulsory", "lines", Scope::kThread,
     "last-level misses: first touch of the line"},
    {metric::kMissesCapacity, "misses_capacity", "lines", Scope::kThread,
     "last-level misses: would miss in a fully associative cache too"},
    {metric::kMissesConflict, "misses_conflict", "lines", Scope::kThread,
     "last-level misses: would hit in a fully associative cache"},
    {metric::kCycles, "cycles", "count", Scope::kThread, "core clock cycles"},
    {metric::kMemoryStallCycles, "memory_stall_cycles", "count", Scope::kThread,
     "cycles without execution while a load was outstanding"},
    {metric::kLastLevelMisses, "last_level_misses", "lines", Scope::kThread,
     "misses of the last-level cache"},
    {metric::kPackageDramReadBytes, "package_dram_read_bytes", "bytes", Scope::kPackage,
     "bytes that the packages' memory controllers read while a rank was in the region"},
    {metric::kPackageDramWriteBytes, "package_dram_write_bytes", "bytes", Scope::kPackage,
     "bytes that the packages' memory controllers wrote while a rank was in the region"},
    {metric::kPackageDramBytes, "package_dram_bytes", "bytes", Scope::kPackage,
     "bytes that the packages' memory controllers moved, if they do not separate reads and writes"},
    {metric::kPackageHbmReadBytes, "package_hbm_read_bytes", "bytes", Scope::kPackage,
     "bytes read from the packages' high-bandwidth memory"},
    {metric::kPackageHbmWriteBytes, "package_hbm_write_bytes", "bytes", Scope::kPackage,
     "bytes written to the packages' high-bandwidth memory"},
    {metric::kPackageTimeNs, "package_time_ns", "ns", Scope::kPackage,
     "time in which at least one rank of a package was in the region"},
    {metric::kPackageSharedNs, "package_shared_ns", "ns", Scope::kPackage,
     "part of package_time_ns in which a rank of the package was in another region; its traffic is "
     "included"},
    {metric::kPackageControllers, "package_controllers", "count", Scope::kPackage,
     "memory controllers of the packages"},
    {metric::kPackageControllerBytesMax, "package_controller_bytes_max", "bytes", Scope::kPackage,
     "bytes of each package's busiest memory controller"},
    {metric::kApportionedDramBytes, "apportioned_dram_bytes", "bytes", Scope::kProcess,
     "the rank's share of its packages' bytes by last-level misses: an estimate"},
}};

constexpr std::array<Plain, kMetrics - metric::kLastUser - 1> kAfterUser = {{
    {metric::kWorkers, "workers", "count", Scope::kProcess, "workers of the region"},
    {metric::kWorkerFlopsMax, "worker_flops_max", "flops", Scope::kProcess,
     "FLOPs of the busiest thread"},
    {metric::kWorkerBytesMax, "worker_bytes_max", "bytes", Scope::kProcess,
     "bytes loaded and stored by the busiest thread"},
    {metric::kMpiNs, "mpi_ns", "ns", Scope::kProcess,
     "part of time_ns inside MPI, of the thread that spent most there"},
    {metric::kOutsideMpiNs, "outside_mpi_ns", "ns", Scope::kProcess, "part of time_ns outside MPI"},
    {metric::kParallelNs, "parallel_ns", "ns", Scope::kProcess,
     "part of time_ns in OpenMP's parallel regions, of the thread that spent most there"},
    {metric::kOpenMpBusyNs, "openmp_busy_ns", "ns", Scope::kThread,
     "time of all threads in the bodies of parallel regions, without what they waited in OpenMP"},
    {metric::kOpenMpBusiestNs, "openmp_busiest_ns", "ns", Scope::kProcess,
     "part of openmp_busy_ns of the busiest thread of each parallel region"},
    {metric::kOpenMpWaitNs, "openmp_wait_ns", "ns", Scope::kThread,
     "time of all threads in parallel regions without work: at barriers, locks, the begin and the "
     "end"},
    {metric::kPageFaults, "page_faults", "count", Scope::kThread,
     "page faults of all threads that needed no disk"},
    {metric::kSystemNs, "system_ns", "ns", Scope::kThread,
     "time in which the operating system worked for a thread, all threads together"},
    {metric::kPreemptions, "preemptions", "count", Scope::kThread,
     "times that a thread lost its CPU though it could have gone on"},
    {metric::kLongestVisitNs, "longest_visit_ns", "ns", Scope::kProcess,
     "time of the visit that took longest"},
    {InMpi(metric::kInstructionsApart), "in_mpi_instructions", "count", Scope::kThread,
     "instructions executed inside MPI calls: not in instructions"},
    {InMpi(metric::kFlopsApart), "in_mpi_flops", "flops", Scope::kThread,
     "floating-point operations executed inside MPI calls: not in flops"},
    {InMpi(metric::kLoadsApart), "in_mpi_loads_bytes", "bytes", Scope::kThread,
     "bytes loaded inside MPI calls: not in loads_bytes"},
    {InMpi(metric::kStoresApart), "in_mpi_stores_bytes", "bytes", Scope::kThread,
     "bytes stored inside MPI calls: not in stores_bytes"},
    {InMpi(metric::kDramApart), "in_mpi_dram_bytes", "bytes", Scope::kThread,
     "bytes moved to and from DRAM inside MPI calls: not in dram_bytes"},
    {InRuntime(metric::kInstructionsApart), "in_runtime_instructions", "count", Scope::kThread,
     "instructions executed in OpenMP runtimes, waiting and scheduling: not in instructions"},
    {InRuntime(metric::kFlopsApart), "in_runtime_flops", "flops", Scope::kThread,
     "floating-point operations executed in OpenMP runtimes, waiting and scheduling: not in flops"},
    {InRuntime(metric::kLoadsApart), "in_runtime_loads_bytes", "bytes", Scope::kThread,
     "bytes loaded in OpenMP runtimes, waiting and scheduling: not in loads_bytes"},
    {InRuntime(metric::kStoresApart), "in_runtime_stores_bytes", "bytes", Scope::kThread,
     "bytes stored in OpenMP runtimes, waiting and scheduling: not in stores_bytes"},
    {InRuntime(metric::kDramApart), "in_runtime_dram_bytes", "bytes", Scope::kThread,
     "bytes moved to and from DRAM in OpenMP runtimes, waiting and scheduling: not in dram_bytes"},
    {metric::kDependenceCycles, "dependence_cycles", "count", Scope::kThread,
     "core clock cycles that the executed instructions take at least by their dependences: "
     "followed "
     "in windows, scaled to all instructions; the sum of the next eleven"},
    {metric::kDependenceFpCycles, "dependence_fp_cycles", "count", Scope::kThread,
     "of dependence_cycles: floating-point and vector operations that wait for each other"},
    {metric::kDependenceAddressCycles, "dependence_address_cycles", "count", Scope::kThread,
     "of dependence_cycles: operations on general registers and loads from L1, such as addresses"},
    {metric::kDependenceForwardCycles, "dependence_forward_cycles", "count", Scope::kThread,
     "of dependence_cycles: values that are stored and loaded again"},
    {metric::kDependenceMemoryCycles, "dependence_memory_cycles", "count", Scope::kThread,
     "of dependence_cycles: loads from beyond L1 on whose value something waits"},
    {metric::kDependenceInFlightCycles, "dependence_in_flight_cycles", "count", Scope::kThread,
     "of dependence_cycles: loads that wait because only so many misses are in flight"},
    {metric::kDependenceWindowCycles, "dependence_window_cycles", "count", Scope::kThread,
     "of dependence_cycles: loads behind which the core's window of instructions is full"},
    {metric::kDependenceTlbCycles, "dependence_tlb_cycles", "count", Scope::kThread,
     "of dependence_cycles: what loads take longer because the first TLB does not have their "
     "pages of 4 KiB"},
    {metric::kDependenceUnitsCycles, "dependence_units_cycles", "count", Scope::kThread,
     "of dependence_cycles: operations, loads and stores that wait because others take all units "
     "of the core that can execute them"},
    {metric::kDependenceAtomicCycles, "dependence_atomic_cycles", "count", Scope::kThread,
     "of dependence_cycles: atomic instructions, which wait for all before them"},
    {metric::kDependenceBranchCycles, "dependence_branch_cycles", "count", Scope::kThread,
     "of dependence_cycles: until it was known where mispredicted branches go, loads from beyond "
     "L1 apart, and what came there had entered; of a predictor that the windows simulate"},
    {metric::kDependenceIssueCycles, "dependence_issue_cycles", "count", Scope::kThread,
     "of dependence_cycles: instructions that nothing delays, as many a cycle as the core takes"},
    {metric::kWorkerDependenceCyclesMax, "worker_dependence_cycles_max", "count", Scope::kProcess,
     "dependence_cycles of the thread that has most of them"},
    {metric::kWindowLines, "window_lines", "lines", Scope::kThread,
     "lines that came from beyond the last level while windows of the executed instructions were "
     "followed: a sample"},
    {metric::kWindowStreamLines, "window_stream_lines", "lines", Scope::kThread,
     "of window_lines: those of the stream that had most of them in its window"},
    {metric::kL1MarginBytes, "l1_margin_bytes", "bytes", Scope::kThread,
     "half the width of the interval of l1_read_bytes + l1_write_bytes, where they were "
     "extrapolated from some visits"},
    {metric::kL2MarginBytes, "l2_margin_bytes", "bytes", Scope::kThread,
     "half the width of the interval of l2_read_bytes + l2_write_bytes, where they were "
     "extrapolated from some visits"},
    {metric::kDramMarginBytes, "dram_margin_bytes", "bytes", Scope::kThread,
     "half the width of the interval of dram_bytes, where they were extrapolated from some visits"},
    {metric::kFlopsMargin, "flops_margin", "flops", Scope::kThread,
     "half the width of the interval of flops, where they were extrapolated from some visits"},
    {metric::kTimeMarginNs, "time_margin_ns", "ns", Scope::kProcess,
     "half the width of the interval of time_ns, where visits took turns"},
    {metric::kFlops, "flops", "flops", Scope::kThread,
     "floating-point operations of all precisions"},
    {metric::kFlopsDp, "flops_dp", "flops", Scope::kThread,
     "floating-point operations in double precision"},
    {metric::kFlopsSp, "flops_sp", "flops", Scope::kThread,
     "floating-point operations in single precision"},
    {metric::kFlopsHp, "flops_hp", "flops", Scope::kThread,
     "floating-point operations in half precision"},
    {metric::kDramBytes, "dram_bytes", "bytes", Scope::kThread,
     "bytes moved to and from DRAM: of the packages' memory controllers where they are read"},
}};

static_assert(InOrder(kPlain, metric::kVisits) && InOrder(kAfterUser, metric::kLastUser + 1));

std::vector<MetricInfo> BuildTable() {
  std::vector<MetricInfo> table;
  table.reserve(kMetrics);
  for (const auto& precision : kPrecisionNames) {
    for (const auto& width : kWidthNames) {
      for (const auto& kind : kFlopKindNames) {
        std::string name("flops_");
        name.append(precision.name).append("_").append(width.name).append("_").append(kind.name);
        table.push_back({std::move(name), "flops", Scope::kThread, "floating-point operations"});
      }
    }
  }
  for (const auto& precision : kPrecisionNames) {
    for (const auto& width : kWidthNames) {
      std::string name("flops_");
      name.append(precision.name).append("_").append(width.name);
      table.push_back({std::move(name), "flops", Scope::kThread,
                       "floating-point operations of any kind; a fused one counts as two"});
    }
  }
  for (const auto& kind : kFlopKindNames) {
    table.push_back({"flops_mixed_" + std::string(kind.name), "flops", Scope::kThread,
                     "floating-point operations of all precisions together"});
  }
  for (const auto& precision : kWholeNames) {
    table.push_back({"flops_" + std::string(precision.name) + "_any", "flops", Scope::kThread,
                     "floating-point operations of any width and kind; a fused one counts as two"});
  }
  const auto add = [&table](const auto& plains) {
    for (const Plain& plain : plains) {
      table.push_back({std::string(plain.name), plain.unit, plain.scope, plain.doc});
    }
  };
  add(kPlain);
  for (size_t i = 0; i < kUserMetrics; ++i) {
    table.push_back({"user_" + std::to_string(i + 1), "count", Scope::kThread,
                     "an event of ROOFMARK_EVENTS: see its label"});
  }
  add(kAfterUser);
  return table;
}

// Leaked on purpose: no static destructor may run inside the application.
const std::vector<MetricInfo>& Table() {
  static const auto& table = *new std::vector<MetricInfo>(BuildTable());
  return table;
}

}  // namespace

std::string_view ScopeName(Scope scope) { return RowOf(kScopeNames, scope).name; }

std::optional<Scope> ParseScope(std::string_view name) { return FindByName(kScopeNames, name); }

const MetricInfo& GetMetric(MetricId id) { return Table()[id]; }

std::optional<MetricId> FindMetric(std::string_view name) {
  const auto& table = Table();
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<MetricId>(i);
  }
  return std::nullopt;
}

}  // namespace roofmark
