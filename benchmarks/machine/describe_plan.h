// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_DESCRIBE_PLAN_H_
#define ROOFMARK_BENCHMARKS_MACHINE_DESCRIBE_PLAN_H_

#include <string>

#include "benchmarks/machine/plan.h"
#include "benchmarks/machine/topology.h"

namespace roofmark {

// What would be measured on a machine of that topology, with `memory_bytes` in all, if its CPU had
// this one's instructions and its caches were what they are reported to be; as text for people, at
// most 80 columns wide. Measures nothing.
std::string DescribePlan(const Topology& topology, Effort effort, uint64_t memory_bytes);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_DESCRIBE_PLAN_H_
