// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_TASKS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_TASKS_H_

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/machine/memory_plan.h"
#include "benchmarks/machine/plateau.h"
#include "benchmarks/machine/sampler.h"
#include "benchmarks/machine/topology.h"

namespace roofmark {

// Everything that is measured after the levels were found, in its order: what a roofline needs
// first, and of that memory, which is fewest tasks and needed most if the user interrupts. `memory`
// is null where no working set can reach DRAM; `vendor` as in Machine::cpu_vendor. The tasks refer
// to `slabs`.
std::vector<MeasureTask> AllTasks(const Topology& topology, const MemoryPlan* memory,
                                  const Slabs& slabs,
                                  const std::vector<std::optional<Plateau>>& plateaus,
                                  const std::string& vendor);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_TASKS_H_
