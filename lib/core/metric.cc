// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/metric.h"

#include <array>
#include <vector>

namespace roofmark {
namespace {

constexpr std::array<std::string_view, kPrecisions> kPrecisionNames = {"dp", "sp", "hp"};
constexpr std::array<std::string_view, kWidths> kWidthNames = {"scalar", "128", "256", "512"};
constexpr std::array<std::string_view, kFlopKinds> kKindNames = {"add", "mul", "fma", "div",
                                                                 "sqrt"};

struct Plain {
  std::string_view name, unit;
  Scope scope;
  std::string_view doc;
};

constexpr std::array<std::string_view, kWholePrecisions> kWholeNames = {"dp", "sp", "hp", "bf16",
                                                                        "mixed"};

// Before and after the user's own.
constexpr std::array<Plain, metric::kFirstUser - metric::kVisits> kPlain = {{
    {"visits", "count", Scope::kProcess, "times the region was entered"},
    {"timed_visits", "count", Scope::kProcess, "visits that were measured"},
    {"time_ns", "ns", Scope::kProcess, "inclusive wall time, scaled to all visits"},
    {"marker_ns", "ns", Scope::kProcess,
     "at most so much of time_ns is the markers': visits here and below times the cost of a pair"},
    {"declared_flops", "flops", Scope::kThread, "FLOPs declared by ROOF_REGION_WORK"},
    {"declared_bytes", "bytes", Scope::kThread, "bytes declared by ROOF_REGION_WORK"},
    {"declared_operations", "operations", Scope::kThread,
     "operations of the program's own kind, declared by ROOF_REGION_OPERATIONS"},
    {"instructions", "count", Scope::kThread, "instructions executed"},
    {"fp_instructions", "count", Scope::kThread, "instructions that perform FLOPs"},
    {"fp_other_instructions", "count", Scope::kThread,
     "FP and SIMD compares, conversions, shuffles, logic and register moves"},
    {"x87_transcendentals", "count", Scope::kThread, "x87 transcendental instructions"},
    {"load_instructions", "count", Scope::kThread, "instructions that read data memory"},
    {"store_instructions", "count", Scope::kThread, "instructions that write data memory"},
    {"branch_instructions", "count", Scope::kThread, "jumps, calls and returns"},
    {"loads_bytes", "bytes", Scope::kThread, "bytes loaded by instructions"},
    {"stores_bytes", "bytes", Scope::kThread, "bytes stored by instructions"},
    {"nt_stores_bytes", "bytes", Scope::kThread, "bytes stored non-temporally"},
    {"l1_read_bytes", "bytes", Scope::kThread, "bytes moved into L1 from the level below"},
    {"l1_write_bytes", "bytes", Scope::kThread, "bytes written back from L1"},
    {"l2_read_bytes", "bytes", Scope::kThread, "bytes moved into L2 from the level below"},
    {"l2_write_bytes", "bytes", Scope::kThread, "bytes written back from L2"},
    {"l3_read_bytes", "bytes", Scope::kThread, "bytes moved into L3 from DRAM"},
    {"l3_write_bytes", "bytes", Scope::kThread, "bytes written back from L3"},
    {"dram_read_bytes", "bytes", Scope::kThread, "bytes read from DRAM"},
    {"dram_write_bytes", "bytes", Scope::kThread, "bytes written to DRAM"},
    {"dram_nt_bytes", "bytes", Scope::kThread, "non-temporal share of dram_write_bytes"},
    {"dram_dirty_bytes", "bytes", Scope::kThread,
     "bytes written but still in the caches when the run ended"},
    {"store_fill_bytes", "bytes", Scope::kThread,
     "share of l1_read_bytes that was fetched for a store (write-allocate)"},
    {"misses_compulsory", "lines", Scope::kThread, "last-level misses: first touch of the line"},
    {"misses_capacity", "lines", Scope::kThread,
     "last-level misses: would miss in a fully associative cache too"},
    {"misses_conflict", "lines", Scope::kThread,
     "last-level misses: would hit in a fully associative cache"},
    {"cycles", "count", Scope::kThread, "core clock cycles"},
    {"memory_stall_cycles", "count", Scope::kThread,
     "cycles in which nothing was executed while a load was outstanding"},
    {"last_level_misses", "lines", Scope::kThread, "lines that the last-level cache did not have"},
    {"package_dram_read_bytes", "bytes", Scope::kPackage,
     "bytes that the packages' memory controllers read while a rank was in the region"},
    {"package_dram_write_bytes", "bytes", Scope::kPackage,
     "bytes that they wrote while a rank was in the region"},
    {"package_dram_bytes", "bytes", Scope::kPackage,
     "bytes that they moved, where they do not tell reads from writes"},
    {"package_hbm_read_bytes", "bytes", Scope::kPackage,
     "bytes read from the packages' high-bandwidth memory"},
    {"package_hbm_write_bytes", "bytes", Scope::kPackage,
     "bytes written to the packages' high-bandwidth memory"},
    {"package_time_ns", "ns", Scope::kPackage,
     "time in which at least one rank of a package was in the region"},
    {"package_shared_ns", "ns", Scope::kPackage,
     "of package_time_ns: some rank of the package was elsewhere, and its traffic counts too"},
    {"package_controllers", "count", Scope::kPackage, "memory controllers of the packages"},
    {"package_controller_bytes_max", "bytes", Scope::kPackage,
     "bytes of each package's busiest memory controller"},
    {"apportioned_dram_bytes", "bytes", Scope::kProcess,
     "the rank's share of its packages' bytes by last-level misses: an estimate"},
}};

constexpr std::array<Plain, kMetrics - metric::kLastUser - 1> kAfterUser = {{
    {"workers", "count", Scope::kProcess, "threads the region's work is averaged over"},
    {"worker_flops_max", "flops", Scope::kProcess, "FLOPs of the busiest thread"},
    {"worker_bytes_max", "bytes", Scope::kProcess, "bytes loaded and stored by the busiest thread"},
    {"mpi_ns", "ns", Scope::kProcess,
     "of time_ns: inside MPI, by the thread that spent most there"},
    {"outside_mpi_ns", "ns", Scope::kProcess, "of time_ns: not inside MPI"},
}};

std::vector<MetricInfo> BuildTable() {
  std::vector<MetricInfo> table;
  table.reserve(kMetrics);
  for (std::string_view precision : kPrecisionNames) {
    for (std::string_view width : kWidthNames) {
      for (std::string_view kind : kKindNames) {
        std::string name("flops_");
        name.append(precision).append("_").append(width).append("_").append(kind);
        table.push_back({std::move(name), "flops", Scope::kThread, "floating-point operations"});
      }
    }
  }
  for (std::string_view precision : kPrecisionNames) {
    for (std::string_view width : kWidthNames) {
      std::string name("flops_");
      name.append(precision).append("_").append(width);
      table.push_back({std::move(name), "flops", Scope::kThread,
                       "floating-point operations of any kind, a fused one counting as two"});
    }
  }
  for (std::string_view kind : kKindNames) {
    table.push_back({"flops_mixed_" + std::string(kind), "flops", Scope::kThread,
                     "floating-point operations of all precisions together"});
  }
  for (std::string_view precision : kWholeNames) {
    table.push_back({"flops_" + std::string(precision) + "_any", "flops", Scope::kThread,
                     "floating-point operations of any width and kind, a fused one as two"});
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

std::string_view ScopeName(Scope scope) {
  switch (scope) {
    case Scope::kThread:
      return "thread";
    case Scope::kProcess:
      return "process";
    case Scope::kPackage:
      return "package";
  }
  return "";
}

std::optional<Scope> ParseScope(std::string_view name) {
  for (const Scope scope : {Scope::kThread, Scope::kProcess, Scope::kPackage}) {
    if (name == ScopeName(scope)) return scope;
  }
  return std::nullopt;
}

const MetricInfo& GetMetric(MetricId id) { return Table()[id]; }

std::optional<MetricId> FindMetric(std::string_view name) {
  const auto& table = Table();
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<MetricId>(i);
  }
  return std::nullopt;
}

}  // namespace roofmark
