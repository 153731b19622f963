// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/tasks.h"

#include <iterator>
#include <utility>

#include "benchmarks/machine/core_sets.h"
#include "benchmarks/machine/plan.h"

namespace roofmark {

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
  append(ComputeTasks(sets, vendor));
  return tasks;
}

}  // namespace roofmark
