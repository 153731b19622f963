// SPDX-License-Identifier: BSD-3-Clause
//
// Names, units and scopes of all stored metrics. They are the format of the roofline files, so each
// is written down a second time here: whoever changes one must mean it.
#include "lib/core/metric.h"

#include <gtest/gtest.h>

#include <vector>

namespace roofmark {
namespace {

struct Expected {
  MetricId id;
  std::string name, unit;
  Scope scope;
};

const std::vector<Expected> kPlainMetrics = {
    {metric::kVisits, "visits", "count", Scope::kProcess},
    {metric::kTimedVisits, "timed_visits", "count", Scope::kProcess},
    {metric::kTimeNs, "time_ns", "ns", Scope::kProcess},
    {metric::kMarkerNs, "marker_ns", "ns", Scope::kProcess},
    {metric::kDeclaredFlops, "declared_flops", "flops", Scope::kThread},
    {metric::kDeclaredBytes, "declared_bytes", "bytes", Scope::kThread},
    {metric::kDeclaredOperations, "declared_operations", "operations", Scope::kThread},
    {metric::kInstructions, "instructions", "count", Scope::kThread},
    {metric::kFpInstructions, "fp_instructions", "count", Scope::kThread},
    {metric::kFpOtherInstructions, "fp_other_instructions", "count", Scope::kThread},
    {metric::kX87Transcendentals, "x87_transcendentals", "count", Scope::kThread},
    {metric::kVnniOperations, "vnni_operations", "operations", Scope::kThread},
    {metric::kLoadInstructions, "load_instructions", "count", Scope::kThread},
    {metric::kStoreInstructions, "store_instructions", "count", Scope::kThread},
    {metric::kBranchInstructions, "branch_instructions", "count", Scope::kThread},
    {metric::kLoadBytes, "loads_bytes", "bytes", Scope::kThread},
    {metric::kStoreBytes, "stores_bytes", "bytes", Scope::kThread},
    {metric::kNtStoreBytes, "nt_stores_bytes", "bytes", Scope::kThread},
    {metric::kL1ReadBytes, "l1_read_bytes", "bytes", Scope::kThread},
    {metric::kL1WriteBytes, "l1_write_bytes", "bytes", Scope::kThread},
    {metric::kL2ReadBytes, "l2_read_bytes", "bytes", Scope::kThread},
    {metric::kL2WriteBytes, "l2_write_bytes", "bytes", Scope::kThread},
    {metric::kL3ReadBytes, "l3_read_bytes", "bytes", Scope::kThread},
    {metric::kL3WriteBytes, "l3_write_bytes", "bytes", Scope::kThread},
    {metric::kDramReadBytes, "dram_read_bytes", "bytes", Scope::kThread},
    {metric::kDramWriteBytes, "dram_write_bytes", "bytes", Scope::kThread},
    {metric::kDramNtBytes, "dram_nt_bytes", "bytes", Scope::kThread},
    {metric::kDramDirtyBytes, "dram_dirty_bytes", "bytes", Scope::kThread},
    {metric::kStoreFillBytes, "store_fill_bytes", "bytes", Scope::kThread},
    {metric::kMissesCompulsory, "misses_compulsory", "lines", Scope::kThread},
    {metric::kMissesCapacity, "misses_capacity", "lines", Scope::kThread},
    {metric::kMissesConflict, "misses_conflict", "lines", Scope::kThread},
    {metric::kCycles, "cycles", "count", Scope::kThread},
    {metric::kMemoryStallCycles, "memory_stall_cycles", "count", Scope::kThread},
    {metric::kLastLevelMisses, "last_level_misses", "lines", Scope::kThread},
    {metric::kPackageDramReadBytes, "package_dram_read_bytes", "bytes", Scope::kPackage},
    {metric::kPackageDramWriteBytes, "package_dram_write_bytes", "bytes", Scope::kPackage},
    {metric::kPackageDramBytes, "package_dram_bytes", "bytes", Scope::kPackage},
    {metric::kPackageHbmReadBytes, "package_hbm_read_bytes", "bytes", Scope::kPackage},
    {metric::kPackageHbmWriteBytes, "package_hbm_write_bytes", "bytes", Scope::kPackage},
    {metric::kPackageTimeNs, "package_time_ns", "ns", Scope::kPackage},
    {metric::kPackageSharedNs, "package_shared_ns", "ns", Scope::kPackage},
    {metric::kPackageControllers, "package_controllers", "count", Scope::kPackage},
    {metric::kPackageControllerBytesMax, "package_controller_bytes_max", "bytes", Scope::kPackage},
    {metric::kApportionedDramBytes, "apportioned_dram_bytes", "bytes", Scope::kProcess},
    {metric::kWorkers, "workers", "count", Scope::kProcess},
    {metric::kWorkerFlopsMax, "worker_flops_max", "flops", Scope::kProcess},
    {metric::kWorkerBytesMax, "worker_bytes_max", "bytes", Scope::kProcess},
    {metric::kMpiNs, "mpi_ns", "ns", Scope::kProcess},
    {metric::kOutsideMpiNs, "outside_mpi_ns", "ns", Scope::kProcess},
    {metric::kParallelNs, "parallel_ns", "ns", Scope::kProcess},
    {metric::kOpenMpBusyNs, "openmp_busy_ns", "ns", Scope::kThread},
    {metric::kOpenMpBusiestNs, "openmp_busiest_ns", "ns", Scope::kProcess},
    {metric::kOpenMpWaitNs, "openmp_wait_ns", "ns", Scope::kThread},
    {metric::kPageFaults, "page_faults", "count", Scope::kThread},
    {metric::kSystemNs, "system_ns", "ns", Scope::kThread},
    {metric::kPreemptions, "preemptions", "count", Scope::kThread},
    {metric::kLongestVisitNs, "longest_visit_ns", "ns", Scope::kProcess},
    {InMpi(metric::kInstructionsApart), "in_mpi_instructions", "count", Scope::kThread},
    {InMpi(metric::kFlopsApart), "in_mpi_flops", "flops", Scope::kThread},
    {InMpi(metric::kLoadsApart), "in_mpi_loads_bytes", "bytes", Scope::kThread},
    {InMpi(metric::kStoresApart), "in_mpi_stores_bytes", "bytes", Scope::kThread},
    {InMpi(metric::kDramApart), "in_mpi_dram_bytes", "bytes", Scope::kThread},
    {InRuntime(metric::kInstructionsApart), "in_runtime_instructions", "count", Scope::kThread},
    {InRuntime(metric::kFlopsApart), "in_runtime_flops", "flops", Scope::kThread},
    {InRuntime(metric::kLoadsApart), "in_runtime_loads_bytes", "bytes", Scope::kThread},
    {InRuntime(metric::kStoresApart), "in_runtime_stores_bytes", "bytes", Scope::kThread},
    {InRuntime(metric::kDramApart), "in_runtime_dram_bytes", "bytes", Scope::kThread},
    {metric::kDependenceCycles, "dependence_cycles", "count", Scope::kThread},
    {metric::kDependenceFpCycles, "dependence_fp_cycles", "count", Scope::kThread},
    {metric::kDependenceAddressCycles, "dependence_address_cycles", "count", Scope::kThread},
    {metric::kDependenceForwardCycles, "dependence_forward_cycles", "count", Scope::kThread},
    {metric::kDependenceMemoryCycles, "dependence_memory_cycles", "count", Scope::kThread},
    {metric::kDependenceInFlightCycles, "dependence_in_flight_cycles", "count", Scope::kThread},
    {metric::kDependenceWindowCycles, "dependence_window_cycles", "count", Scope::kThread},
    {metric::kDependenceTlbCycles, "dependence_tlb_cycles", "count", Scope::kThread},
    {metric::kDependenceUnitsCycles, "dependence_units_cycles", "count", Scope::kThread},
    {metric::kDependenceAtomicCycles, "dependence_atomic_cycles", "count", Scope::kThread},
    {metric::kDependenceBranchCycles, "dependence_branch_cycles", "count", Scope::kThread},
    {metric::kDependenceIssueCycles, "dependence_issue_cycles", "count", Scope::kThread},
    {metric::kWorkerDependenceCyclesMax, "worker_dependence_cycles_max", "count", Scope::kProcess},
    {metric::kWindowLines, "window_lines", "lines", Scope::kThread},
    {metric::kWindowStreamLines, "window_stream_lines", "lines", Scope::kThread},
    {metric::kL1MarginBytes, "l1_margin_bytes", "bytes", Scope::kThread},
    {metric::kL2MarginBytes, "l2_margin_bytes", "bytes", Scope::kThread},
    {metric::kDramMarginBytes, "dram_margin_bytes", "bytes", Scope::kThread},
    {metric::kFlopsMargin, "flops_margin", "flops", Scope::kThread},
    {metric::kTimeMarginNs, "time_margin_ns", "ns", Scope::kProcess},
    {metric::kPauses, "pauses", "count", Scope::kProcess},
    {metric::kFlops, "flops", "flops", Scope::kThread},
    {metric::kFlopsDp, "flops_dp", "flops", Scope::kThread},
    {metric::kFlopsSp, "flops_sp", "flops", Scope::kThread},
    {metric::kFlopsHp, "flops_hp", "flops", Scope::kThread},
    {metric::kDramBytes, "dram_bytes", "bytes", Scope::kThread},
};

void AppendFlops(std::vector<Expected>& all) {
  const auto add = [&all](MetricId id, const std::string& name) {
    all.push_back({id, "flops_" + name, "flops", Scope::kThread});
  };
  const std::vector<std::string> widths = {"scalar", "128", "256", "512"};
  const std::vector<std::string> kinds = {"add", "mul", "fma", "div", "sqrt"};
  MetricId id = 0;
  for (const std::string precision : {"dp", "sp", "hp"}) {
    for (const std::string& width : widths) {
      for (const std::string& kind : kinds) add(id++, precision + "_" + width + "_" + kind);
    }
  }
  id = metric::kFirstAnyKind;
  for (const std::string precision : {"dp", "sp", "hp"}) {
    for (const std::string& width : widths) add(id++, precision + "_" + width);
  }
  id = metric::kFirstMixed;
  for (const std::string& kind : kinds) add(id++, "mixed_" + kind);
  id = metric::kFirstWhole;
  for (const char* precision : {"dp", "sp", "hp", "bf16", "mixed"}) {
    add(id++, std::string(precision) + "_any");
  }
}

std::vector<Expected> AllMetrics() {
  std::vector<Expected> all = kPlainMetrics;
  AppendFlops(all);
  for (size_t i = 0; i < kUserMetrics; ++i) {
    all.push_back({UserMetric(i), "user_" + std::to_string(i + 1), "count", Scope::kThread});
  }
  return all;
}

TEST(Metric, NamesUnitsAndScopesAreThoseOfTheFiles) {
  std::vector<int> times(kMetrics, 0);
  for (const Expected& expected : AllMetrics()) {
    SCOPED_TRACE(expected.name);
    ASSERT_LT(expected.id, kMetrics);
    ++times[expected.id];
    const MetricInfo& info = GetMetric(expected.id);
    EXPECT_EQ(info.name, expected.name);
    EXPECT_EQ(info.unit, expected.unit);
    EXPECT_EQ(info.scope, expected.scope);
    EXPECT_FALSE(info.doc.empty());
    EXPECT_EQ(FindMetric(expected.name), expected.id);
  }
  for (MetricId id = 0; id < kMetrics; ++id) EXPECT_EQ(times[id], 1) << GetMetric(id).name;
}

TEST(Metric, OtherNamesAreNotFound) {
  EXPECT_EQ(FindMetric("flop"), std::nullopt);
  EXPECT_EQ(FindMetric(""), std::nullopt);
  EXPECT_EQ(FindMetric("user_17"), std::nullopt);
}

// The classes are laid out by precision, width and kind, as the loops above go.
TEST(Metric, ClassesAreFoundByWhatTheyAre) {
  EXPECT_EQ(GetMetric(FlopMetric(Precision::kSingle, Width::k256, FlopKind::kFma)).name,
            "flops_sp_256_fma");
  EXPECT_EQ(GetMetric(FlopMetric(Precision::kHalf, Width::kScalar, FlopKind::kDiv)).name,
            "flops_hp_scalar_div");
  EXPECT_EQ(GetMetric(PrecisionFlops(Precision::kHalf)).name, "flops_hp");
  EXPECT_EQ(GetMetric(AnyKindFlops(Precision::kSingle, Width::k512)).name, "flops_sp_512");
  EXPECT_EQ(GetMetric(MixedFlops(FlopKind::kDiv)).name, "flops_mixed_div");
  EXPECT_EQ(GetMetric(WholeFlops(WholePrecision::kBfloat16)).name, "flops_bf16_any");
}

}  // namespace
}  // namespace roofmark
