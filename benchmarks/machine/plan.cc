// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/machine/compute_load.h"
#include "benchmarks/machine/memory_load.h"

namespace roofmark {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

std::string_view WidthName(Width width) {
  constexpr std::string_view kNames[] = {"scalar", "128", "256", "512"};
  return kNames[static_cast<size_t>(width)];
}

std::string ComputeLabel(const ComputeKernel& kernel) {
  constexpr std::string_view kArithmetics[] = {"double", "single", "half", "bfloat16"};
  const std::string_view precision = kArithmetics[static_cast<size_t>(kernel.arithmetic)];
  const std::string width =
      kernel.width == Width::kScalar ? "scalar" : fmt::format("{}-bit", WidthName(kernel.width));
  std::string_view what;
  switch (kernel.kind) {
    case ComputeKind::kChain:
      what = "dependent adds";
      break;
    case ComputeKind::kAdd:
      what = "adds";
      break;
    case ComputeKind::kMul:
      what = "multiplications";
      break;
    case ComputeKind::kMulAdd:
      what = "multiplications and adds, unfused";
      break;
    case ComputeKind::kFma:
      what = "fused multiply-adds";
      break;
    case ComputeKind::kFmaAdd:
      what = "fused multiply-adds beside adds";
      break;
    case ComputeKind::kDiv:
      what = "divisions";
      break;
    case ComputeKind::kSqrt:
      what = "square roots";
      break;
  }
  if (kernel.one_in > 1) {
    return fmt::format("{} {} {}, 1 of {} instructions", precision, width, what, kernel.one_in);
  }
  return fmt::format("{} {} {}", precision, width, what);
}

std::string ComputeId(const ComputeKernel& kernel) {
  const std::string_view arithmetic = ArithmeticName(kernel.arithmetic);
  if (kernel.one_in > 1) return fmt::format("mix.{}.{}", arithmetic, kernel.one_in);
  return fmt::format("compute.{}.{}.{}", arithmetic, ComputeKindName(kernel.kind),
                     WidthName(kernel.width));
}

// Bytes per cycle and core that no core loads and stores: four 64-byte accesses.
constexpr double kMostBytesPerCycle = 256;

MeasureTask MemoryTask(std::string_view level, MemoryKind kind, uint32_t cores,
                       std::shared_ptr<Load> load, bool inner) {
  const MemoryKindInfo& info = GetInfo(kind);
  MeasureTask task;
  task.id = fmt::format("bandwidth.{}.{}", level, info.name);
  task.label = fmt::format("{} {}", level, info.label);
  task.unit = "GB/s";
  // The innermost level has nothing to fetch a line into: its traffic is what the source says.
  task.counted_factor = inner ? 1 : info.allocating_factor;
  task.cores = cores;
  task.load = std::move(load);
  return task;
}

}  // namespace

std::string_view EffortName(Effort effort) {
  constexpr std::string_view kNames[] = {"quick", "default", "full"};
  return kNames[static_cast<size_t>(effort)];
}

EffortPlan PlanOf(Effort effort) {
  switch (effort) {
    case Effort::kQuick:
      return {9, 0.001, 3, 3, 0.02, 1024 * kMiB};
    case Effort::kDefault:
      return {45, 0.001, 5, 6, 0.01, 4096 * kMiB};
    case Effort::kFull:
      return {240, 0.002, 8, 12, 0.005, 16384 * kMiB};
  }
  return {};
}

std::vector<uint32_t> CoreCounts(uint32_t cores) {
  if (cores <= 1) return {1};
  return {1, cores};
}

std::vector<uint64_t> SweepSizes(uint64_t last) {
  std::vector<uint64_t> sizes;
  for (double size = 4096; size < static_cast<double>(last) * 1.01; size *= std::sqrt(2.0)) {
    sizes.push_back(static_cast<uint64_t>(size + 0.5) / 512 * 512);
  }
  return sizes;
}

uint64_t DramBytes(const Topology& topology, uint64_t allowance) {
  const uint64_t last = topology.caches.empty() ? 0 : topology.caches.back().size_bytes;
  return std::min(std::max(8 * last, 256 * kMiB), allowance) / kMiB * kMiB;
}

std::optional<uint64_t> LevelBytes(const std::vector<CacheLevel>& caches, size_t index,
                                   uint64_t best, uint32_t cores) {
  CacheLevel effective = caches[index];
  if (effective.plateau_bytes != 0) {
    effective.size_bytes = std::min(effective.size_bytes, effective.plateau_bytes);
  }
  const uint64_t share = SharePerCore(effective, cores);
  if (index == 0) return share / 2;
  const uint64_t above = SharePerCore(caches[index - 1], cores);
  const uint64_t bytes = std::min(share * 3 / 4, best != 0 ? best : 4 * above);
  if (bytes < above * 3 / 2) return std::nullopt;
  return bytes;
}

std::vector<MeasureTask> ComputeTasks(const std::vector<uint32_t>& cores,
                                      const std::string& vendor) {
  std::vector<MeasureTask> tasks;
  for (const ComputeKernel& kernel : ComputeKernels()) {
    for (const uint32_t count : cores) {
      MeasureTask task;
      task.id = ComputeId(kernel);
      task.label = ComputeLabel(kernel);
      task.unit = "GFLOP/s";
      task.cores = count;
      task.load = std::make_shared<ComputeLoad>(kernel, count);
      task.most_per_cycle = MostFlopsPerCycle(kernel, vendor);
      tasks.push_back(std::move(task));
    }
  }
  return tasks;
}

std::vector<MeasureTask> CacheTasks(const Topology& topology,
                                    const std::vector<std::optional<Plateau>>& plateaus,
                                    const std::vector<uint32_t>& cores) {
  std::vector<MeasureTask> tasks;
  for (size_t i = 0; i < topology.caches.size(); ++i) {
    const CacheLevel& level = topology.caches[i];
    if (i >= plateaus.size() || !plateaus[i]) continue;
    for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kCopy, MemoryKind::kTriad}) {
      for (const uint32_t count : cores) {
        const auto bytes = LevelBytes(topology.caches, i, plateaus[i]->best_bytes, count);
        if (!bytes) continue;
        auto task = MemoryTask(fmt::format("L{}", level.level), kind, count,
                               std::make_shared<MemoryLoad>(kind, *bytes, count), i == 0);
        task.most_per_cycle = kMostBytesPerCycle;
        tasks.push_back(std::move(task));
      }
    }
  }
  return tasks;
}

std::vector<MeasureTask> DramTasks(const std::vector<Buffer>& slabs) {
  const auto cores = static_cast<uint32_t>(slabs.size());
  std::vector<MeasureTask> tasks;
  for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kReadFour, MemoryKind::kCopy,
                                MemoryKind::kTriad, MemoryKind::kTriadNt}) {
    tasks.push_back(MemoryTask("DRAM", kind, cores,
                               std::make_shared<MemoryLoad>(kind, slabs.front().size(), &slabs,
                                                            cores, MemoryLoad::Before::kEvict),
                               false));
  }
  return tasks;
}

}  // namespace roofmark
