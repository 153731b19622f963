// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "benchmarks/machine/branch_load.h"
#include "benchmarks/machine/chain_kernels.h"
#include "benchmarks/machine/core_sets.h"
#include "benchmarks/machine/plan.h"
#include "benchmarks/machine/throughput_kernels.h"

namespace roofmark {
namespace {

// On one core: what others do is nothing to them. `unit` as in MeasureTask.
std::vector<MeasureTask> CoreTasks(std::string_view family, std::string_view unit,
                                   const std::vector<CoreKernel>& kernels) {
  std::vector<MeasureTask> tasks;
  for (const CoreKernel& kernel : kernels) {
    MeasureTask task;
    task.id = fmt::format("{}.{}", family, kernel.name);
    task.label = kernel.label;
    task.unit = unit;
    task.load = std::make_shared<CoreLoad>(kernel);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::vector<MeasureTask> BranchTasks() {
  if (!HasBranchLoad()) return {};
  const auto branches = [](std::string_view id, std::string_view label, Outcomes outcomes) {
    MeasureTask task;
    task.id = id;
    task.label = label;
    task.unit = "ns";
    task.load = std::make_shared<BranchLoad>(outcomes);
    return task;
  };
  return {branches(kRandomBranchId, "branches with random outcomes", Outcomes::kRandom),
          branches(kOneWayBranchId, "branches that go one way always", Outcomes::kOneWay)};
}

}  // namespace

std::vector<MeasureTask> AllTasks(const Topology& topology, const MemoryPlan* memory,
                                  const Slabs& slabs,
                                  const std::vector<std::optional<Plateau>>& plateaus,
                                  const std::string& vendor) {
  std::vector<MeasureTask> tasks;
  const auto append = [&tasks](std::vector<MeasureTask> more) {
    std::move(more.begin(), more.end(), std::back_inserter(tasks));
  };
  const std::vector<CoreSet> sets = FewCoreSets(topology);
  if (memory != nullptr) append(DramTasks(topology, *memory, slabs));
  append(CacheTasks(topology, plateaus, sets));
  append(PageTasks(topology, memory));
  append(ComputeTasks(sets, vendor));
  append(CoreTasks("chain", "ns", ChainKernels()));
  append(BranchTasks());
  append(CoreTasks("latency", "ns", AtomicKernels()));
  append(CoreTasks("throughput", "Ginst/s", ThroughputKernels()));
  std::stable_partition(tasks.begin(), tasks.end(),
                        [](const MeasureTask& task) { return task.needed; });
  return tasks;
}

}  // namespace roofmark
