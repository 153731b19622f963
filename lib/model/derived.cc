// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/derived.h"

#include <algorithm>
#include <iterator>

namespace roofmark {
namespace {

constexpr size_t At(MemoryLevel level) { return static_cast<size_t>(level); }
constexpr size_t At(Precision precision) { return static_cast<size_t>(precision); }

// The finest imbalance that is known.
Value BestImbalance(const Derivation& of) {
  const PathAnalysis& path = of.analysis;
  if (const uint32_t threads = ThreadsBesideSerial(of.job, of.path)) {
    return Value::Of(threads, Status::kMeasured, "");
  }
  if (path.worker_imbalance) return path.worker_imbalance;
  return path.flop_imbalance ? path.flop_imbalance : path.time_imbalance;
}

template <MemoryLevel level>
Value IntensityAt(const Derivation& of) {
  return of.analysis.intensity[At(level)];
}

template <MemoryLevel level>
Value BoundAt(const Derivation& of) {
  return of.analysis.verdict.level_gflops[At(level)];
}

template <Precision precision>
Value FlopsIn(const Derivation& of) {
  return of.analysis.flops[At(precision)];
}

Value DependenceSeconds(const Derivation& of) {
  return of.analysis.runtime.dependences.seconds.as_is;
}

// What the engine counted over what hardware counted.
template <MetricId metric>
Value CrossChecked(const Derivation& of) {
  const CrossCheck* check = CrossCheckOf(of.job.paths[of.path], metric);
  if (check == nullptr || check->hardware.sum == 0) return Value::None(Reason::kZeroEverywhere);
  return Value::Of(check->engine.sum / check->hardware.sum,
                   std::max(check->engine.status, check->hardware.status),
                   check->engine.origin + "+" + check->hardware.origin);
}

template <Dependence one>
Value DependenceShare(const Derivation& of) {
  const Value seconds = DependenceSeconds(of);
  if (!seconds) return seconds;
  return Value::Of(of.analysis.runtime.dependences.Share(one), seconds.status, seconds.origin);
}

constexpr DerivedInfo kDerived[] = {
    {.name = "visits",
     .unit = "count",
     .doc = "times the region was entered, summed over ranks",
     .format = NumberFormat::kSi,
     .head = {"visits", 6, 3, 10},
     .stored = metric::kVisits,
     .value = [](const Derivation& of) { return of.analysis.visits; }},
    {.name = "time_s",
     .unit = "s",
     .doc = "time of the rank that spent most, nested regions included",
     .format = NumberFormat::kSeconds,
     .head = {"time", 7, 0, 1},
     .value = [](const Derivation& of) { return of.analysis.time_s; }},
    {.name = "time_share",
     .unit = "1",
     .doc = "share of the run's wall time; nested regions are within their parents'",
     .format = NumberFormat::kPercent,
     .head = {"share", 5, 0, 2},
     .value = [](const Derivation& of) { return of.analysis.time_share; }},
    {.name = "gflops",
     .unit = "GFLOP/s",
     .doc = "performance: FLOPs of all ranks over the time of the slowest",
     .source = "2008 §3",
     .head = {"GFLOP/s", 7, 0, 3},
     .value = [](const Derivation& of) { return of.analysis.gflops; }},
    {.name = "flops",
     .unit = "flops",
     .doc = "floating-point operations of all ranks, declared ones where none were counted; an FMA "
            "is two",
     .format = NumberFormat::kSi,
     .head = {"FLOPs", 5, 2, 11},
     .stored = metric::kFlops,
     .value = [](const Derivation& of) { return of.analysis.total_flops; }},
    {.name = "dram_bytes",
     .unit = "bytes",
     .doc = "bytes to and from DRAM (read, written, left dirty; fetches for stores included), "
            "declared ones where none were counted",
     .source = "2008 A.1.2",
     .format = NumberFormat::kSi,
     .head = {"DRAM bytes", 5, 1, 12},
     .stored = metric::kDramBytes,
     .value =
         [](const Derivation& of) { return of.analysis.traffic_bytes[At(MemoryLevel::kDram)]; }},
    {.name = "intensity_dram",
     .unit = "FLOP/byte",
     .doc = "operational intensity: FLOPs over DRAM bytes",
     .source = "2008 §3",
     .head = {"FLOP/B", 5, 0, 6},
     .value = IntensityAt<MemoryLevel::kDram>},
    {.name = "attainable_gflops",
     .unit = "GFLOP/s",
     .doc = "the lower of the compute ceiling and bandwidth x intensity, over all memory levels",
     .source = "2008 §3",
     .head = {"roof", 5, 0, 4},
     .value = [](const Derivation& of) { return of.analysis.bound.attainable_gflops; }},
    {.name = "efficiency",
     .unit = "1",
     .doc = "achieved over attainable performance",
     .source = "2018 eq. 2",
     .format = NumberFormat::kPercent,
     .head = {"of roof", 5, 0, 5},
     .value = [](const Derivation& of) { return of.analysis.efficiency; }},
    {.name = "limit",
     .unit = "",
     .doc =
         "what limits the region: compute, a memory level, memory latency, or a chain of dependent "
         "operations, and two of them with + where neither takes the time alone; wait: it waits; "
         "OS: the operating system works for it, as for page faults; MPI: MPI does, more than it "
         "waits; ?: "
         "most of its time is not explained by what was counted, or the model's bound is above it, "
         "where one with ? behind it is likely; two with / are the largest phases of a region "
         "whose "
         "inner regions have different limits",
     .source = "2008 §3",
     .head = {"held by", 5, 0, 8},
     .text = [](const Derivation& of) { return of.analysis.limit.Mark(); }},
    {.name = "imbalance",
     .unit = "1",
     .doc = "busiest over mean: of threads' FLOPs, else of ranks' FLOPs or times; the number of a "
            "rank's threads where only one of them works",
     .source = "2008 A.2.1",
     .head = {"imbal.", 5, 4, 9},
     .value = BestImbalance},
    {.name = "binding",
     .unit = "",
     .doc = "what bounds attainable performance: compute, or the memory level",
     .source = "2008 §3",
     .text = [](const Derivation& of) -> std::string_view { return of.analysis.bound.binding; }},
    {.name = "imbalance_time_ranks",
     .unit = "1",
     .doc =
         "longest over mean time of a rank (time outside MPI where it is known), absent ranks as "
         "zero",
     .value = [](const Derivation& of) { return of.analysis.time_imbalance; }},
    {.name = "imbalance_flops_ranks",
     .unit = "1",
     .doc = "FLOPs of the busiest rank over the mean, absent ranks as zero",
     .source = "2008 A.2.1",
     .value = [](const Derivation& of) { return of.analysis.flop_imbalance; }},
    {.name = "imbalance_flops_workers",
     .unit = "1",
     .doc = "FLOPs of the busiest thread over the mean, absent ranks' threads as zero",
     .source = "2008 A.2.1",
     .value = [](const Derivation& of) { return of.analysis.worker_imbalance; }},
    {.name = "mpi_share",
     .unit = "1",
     .doc = "share of its ranks' time inside MPI",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = [](const Derivation& of) { return of.analysis.mpi_share; }},
    {.name = "kernel_share",
     .unit = "1",
     .doc = "share of its ranks' time in which the operating system works for it, of each worker "
            "on average",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = [](const Derivation& of) { return of.analysis.kernel_share; }},
    {.name = "openmp_wait_share",
     .unit = "1",
     .doc = "share of its threads' time in OpenMP's parallel regions that they wait there",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = [](const Derivation& of) { return of.analysis.openmp_waits; }},
    {.name = "imbalance_time_threads",
     .unit = "1",
     .doc = "time that the busiest thread of each parallel region works over the mean of its team; "
            "outside of parallel regions one thread works",
     .source = "2008 A.2.1",
     .is_optional = true,
     .value = [](const Derivation& of) { return of.analysis.thread_imbalance; }},
    {.name = "in_mpi_instruction_share",
     .unit = "1",
     .doc = "share of the executed instructions inside MPI calls, which are in no other count",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = [](const Derivation& of) { return InMpiInstructions(of.job, of.path); }},
    {.name = "in_runtime_instruction_share",
     .unit = "1",
     .doc = "share of the executed instructions in OpenMP runtimes, which are in no other count",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = [](const Derivation& of) { return InRuntimeInstructions(of.job, of.path); }},
    {.name = "marker_share",
     .unit = "1",
     .doc = "`marker_ns` over `time_ns`: what the markers may have cost, at most",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = [](const Derivation& of) { return MarkerShare(of.job, of.path); }},
    {.name = "busy_share",
     .unit = "1",
     .doc = "share of its time that its arithmetic, its traffic below L1 and its dependences need "
            "at least",
     .format = NumberFormat::kPercent,
     .value = [](const Derivation& of) { return of.analysis.waiting.busy_share; }},
    {.name = "dependence_s",
     .unit = "s",
     .doc = "least time by dependences, of the thread that needs most: operations that wait for "
            "each other and for memory, at the machine's latencies",
     .source = "2008 A.1.2, A.1.3",
     .format = NumberFormat::kSeconds,
     .is_optional = true,
     .value = DependenceSeconds},
    {.name = "dependence_fp_share",
     .unit = "1",
     .doc = "share of the time by dependences: floating-point and vector operations that wait for "
            "each other",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kFp>},
    {.name = "dependence_address_share",
     .unit = "1",
     .doc = "share of the time by dependences: operations on general registers and loads from L1, "
            "such as addresses",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kAddress>},
    {.name = "dependence_forward_share",
     .unit = "1",
     .doc = "share of the time by dependences: values that are stored and loaded again",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kForward>},
    {.name = "dependence_memory_share",
     .unit = "1",
     .doc = "share of the time by dependences: loads from beyond L1 on whose value something waits",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kMemory>},
    {.name = "dependence_in_flight_share",
     .unit = "1",
     .doc = "share of the time by dependences: loads that wait because only so many misses are in "
            "flight",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kInFlight>},
    {.name = "dependence_window_share",
     .unit = "1",
     .doc =
         "share of the time by dependences: loads behind which the window of instructions is full",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kWindow>},
    {.name = "dependence_tlb_share",
     .unit = "1",
     .doc = "share of the time by dependences: what loads take longer because the first TLB does "
            "not have their pages of 4 KiB",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kTlb>},
    {.name = "dependence_units_share",
     .unit = "1",
     .doc = "share of the time by dependences: operations, loads and stores that wait because "
            "others take all units of the core that can execute them",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kUnits>},
    {.name = "dependence_atomic_share",
     .unit = "1",
     .doc = "share of the time by dependences: atomic instructions, which wait for all before them",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kAtomic>},
    {.name = "dependence_branch_share",
     .unit = "1",
     .doc = "share of the time by dependences: until it was known where mispredicted branches go",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kBranch>},
    {.name = "dependence_issue_share",
     .unit = "1",
     .doc = "share of the time by dependences: instructions that nothing delays",
     .format = NumberFormat::kPercent,
     .is_optional = true,
     .value = DependenceShare<Dependence::kIssue>},
    {.name = "flops_dp",
     .unit = "flops",
     .doc = "FLOPs in double precision",
     .format = NumberFormat::kSi,
     .stored = metric::kFlopsDp,
     .value = FlopsIn<Precision::kDouble>},
    {.name = "flops_sp",
     .unit = "flops",
     .doc = "FLOPs in single precision",
     .format = NumberFormat::kSi,
     .stored = metric::kFlopsSp,
     .value = FlopsIn<Precision::kSingle>},
    {.name = "flops_hp",
     .unit = "flops",
     .doc = "FLOPs in half precision",
     .format = NumberFormat::kSi,
     .stored = metric::kFlopsHp,
     .value = FlopsIn<Precision::kHalf>},
    {.name = "declared_flops",
     .unit = "flops",
     .doc = "canonical FLOPs, declared by `ROOF_REGION_WORK`",
     .source = "2018 Table I",
     .format = NumberFormat::kSi,
     .stored = metric::kDeclaredFlops,
     .value =
         [](const Derivation& of) { return MetricSum(of.job, of.path, metric::kDeclaredFlops); }},
    {.name = "measured_over_declared_flops",
     .unit = "1",
     .doc = "FLOPs over declared FLOPs",
     .source = "2018 Table I",
     .value = [](const Derivation& of) { return of.analysis.verdict.measured_over_canonical; }},
    {.name = "flops_with_divides_at_cost",
     .unit = "flops",
     .doc = "FLOPs with each division and root counted as the multiplications of its width that "
            "take as long",
     .source = "2018 §III-B",
     .format = NumberFormat::kSi,
     .value = [](const Derivation& of) { return of.analysis.verdict.flops_at_cost; }},
    {.name = "dram_gbytes_per_s",
     .unit = "GB/s",
     .doc = "achieved DRAM bandwidth: DRAM bytes over the time of the slowest rank",
     .head = {"GB/s", 5, 5, 7},
     .value = [](const Derivation& of) { return of.analysis.verdict.dram_gbs; }},
    {.name = "last_level_miss_bytes",
     .unit = "bytes",
     .doc = "last-level misses times the line size: an estimate of DRAM traffic without prefetches "
            "and write-backs",
     .format = NumberFormat::kSi,
     .is_optional = true,
     .value = [](const Derivation& of) { return of.analysis.miss_bytes; }},
    {.name = "intensity_l1",
     .unit = "FLOP/byte",
     .doc = "FLOPs per byte of loads and stores: the cache-aware intensity",
     .source = "2018: hierarchical roofline",
     .value = IntensityAt<MemoryLevel::kL1>},
    {.name = "intensity_l2",
     .unit = "FLOP/byte",
     .doc = "FLOPs per byte between L1 and L2",
     .source = "2018: hierarchical roofline",
     .value = IntensityAt<MemoryLevel::kL2>},
    {.name = "intensity_l3",
     .unit = "FLOP/byte",
     .doc = "FLOPs per byte between L2 and L3",
     .source = "2018: hierarchical roofline",
     .value = IntensityAt<MemoryLevel::kL3>},
    {.name = "bound_l1_gflops",
     .unit = "GFLOP/s",
     .doc = "L1 bandwidth x intensity at L1",
     .source = "2018: hierarchical roofline",
     .value = BoundAt<MemoryLevel::kL1>},
    {.name = "bound_l2_gflops",
     .unit = "GFLOP/s",
     .doc = "L2 bandwidth x intensity at L2",
     .source = "2018: hierarchical roofline",
     .value = BoundAt<MemoryLevel::kL2>},
    {.name = "bound_l3_gflops",
     .unit = "GFLOP/s",
     .doc = "L3 bandwidth x intensity at L3",
     .source = "2018: hierarchical roofline",
     .value = BoundAt<MemoryLevel::kL3>},
    {.name = "bound_dram_gflops",
     .unit = "GFLOP/s",
     .doc = "DRAM bandwidth x intensity at DRAM",
     .source = "2008 §3",
     .value = BoundAt<MemoryLevel::kDram>},
    {.name = "ceiling_gflops",
     .unit = "GFLOP/s",
     .doc = "the compute ceiling that fits the mix of precisions and fused operations",
     .source = "2018 §III-B",
     .value = [](const Derivation& of) { return of.analysis.ceiling.height.least; }},
    {.name = "ridge_point",
     .unit = "FLOP/byte",
     .doc = "intensity at which that ceiling meets the DRAM bandwidth",
     .source = "2008 §3",
     .value = [](const Derivation& of) { return of.analysis.verdict.ridge_point; }},
    {.name = "efficiency_top_roof",
     .unit = "1",
     .doc = "achieved over attainable performance, against the highest roof of its precisions",
     .source = "2018 eq. 2, Table III",
     .format = NumberFormat::kPercent,
     .value = [](const Derivation& of) { return of.analysis.verdict.top_efficiency; }},
    {.name = "efficiency_no_fma_roof",
     .unit = "1",
     .doc = "achieved over attainable performance, against the highest roof without FMA",
     .source = "2018 eq. 2, Table III",
     .format = NumberFormat::kPercent,
     .value = [](const Derivation& of) { return of.analysis.verdict.no_fma_efficiency; }},
    {.name = "attainable_by_mix",
     .unit = "GFLOP/s",
     .doc = "what its own mix of instructions, balance and traffic can attain",
     .source = "2008 A.3",
     .value = [](const Derivation& of) { return of.analysis.runtime.attainable; },
     .unit_of_operations = "1e9 operations/s"},
    {.name = "gain_moving_up",
     .unit = "1",
     .doc = "gain with all compute and memory shortfalls fixed, at the same intensity",
     .source = "2008 figure A1",
     .value = [](const Derivation& of) { return of.analysis.runtime.gain_up; }},
    {.name = "gain_moving_right",
     .unit = "1",
     .doc = "gain with an intensity at which DRAM does not bind",
     .source = "2008 figure A1",
     .value = [](const Derivation& of) { return of.analysis.runtime.gain_right; }},
    {.name = "declared_operations",
     .unit = "operations",
     .doc = "operations of the program's own kind, declared by `ROOF_REGION_OPERATIONS`",
     .format = NumberFormat::kSi,
     .is_optional = true,
     .stored = metric::kDeclaredOperations,
     .value = [](const Derivation& of) { return of.analysis.operations; }},
    {.name = "operations_1e9_per_s",
     .unit = "1e9 operations/s",
     .doc = "declared operations over the time of the slowest rank",
     .source = "2008 §3",
     .is_optional = true,
     .value = [](const Derivation& of) { return of.analysis.operation_rate; }},
    {.name = "cross_check_flops",
     .unit = "1",
     .doc =
         "FLOPs that the counting engine counted over those of hardware counters, where both did",
     .is_optional = true,
     .value = CrossChecked<metric::kFlops>},
    {.name = "cross_check_flops_dp",
     .unit = "1",
     .doc = "double-precision FLOPs that the counting engine counted over those of hardware "
            "counters, where both did",
     .is_optional = true,
     .value = CrossChecked<metric::kFlopsDp>},
    {.name = "cross_check_flops_sp",
     .unit = "1",
     .doc = "single-precision FLOPs that the counting engine counted over those of hardware "
            "counters, where both did",
     .is_optional = true,
     .value = CrossChecked<metric::kFlopsSp>},
    {.name = "cross_check_flops_hp",
     .unit = "1",
     .doc = "half-precision FLOPs that the counting engine counted over those of hardware "
            "counters, where both did",
     .is_optional = true,
     .value = CrossChecked<metric::kFlopsHp>},
    {.name = "cross_check_instructions",
     .unit = "1",
     .doc = "instructions that the counting engine counted over those of hardware counters, where "
            "both did",
     .is_optional = true,
     .value = CrossChecked<metric::kInstructions>},
    {.name = "cross_check_dram_bytes",
     .unit = "1",
     .doc = "bytes of DRAM that the cache model gives over those of hardware counters, where both "
            "counted",
     .is_optional = true,
     .value = CrossChecked<metric::kDramBytes>},
};

constexpr bool RowsAreWhole() {
  int columns = 0, places = 0;
  for (size_t i = 0; i < std::size(kDerived); ++i) {
    const DerivedInfo& row = kDerived[i];
    if (row.name.empty() || row.doc.empty() || (row.value == nullptr) == (row.text == nullptr)) {
      return false;
    }
    if ((row.head.width > 0) != (row.head.place > 0)) return false;
    columns += row.head.width > 0 ? 1 : 0;
    places = std::max(places, row.head.place);
    for (size_t k = 0; k < i; ++k) {
      if (kDerived[k].name == row.name) return false;
      if (row.head.place > 0 && kDerived[k].head.place == row.head.place) return false;
    }
  }
  return columns == places;
}
static_assert(RowsAreWhole(), "unique names, one formula each, columns in one order");

}  // namespace

std::span<const DerivedInfo> DerivedValues() { return kDerived; }

const DerivedInfo* FindDerived(std::string_view name) {
  const auto* row = std::find_if(std::begin(kDerived), std::end(kDerived),
                                 [name](const DerivedInfo& info) { return info.name == name; });
  return row == std::end(kDerived) ? nullptr : row;
}

std::string_view UnitOf(const DerivedInfo& info, const PathAnalysis& analysis) {
  const bool operations = analysis.runtime.unit == "operation" && !info.unit_of_operations.empty();
  return operations ? info.unit_of_operations : info.unit;
}

}  // namespace roofmark
