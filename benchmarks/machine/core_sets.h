// SPDX-License-Identifier: BSD-3-Clause
//
// On which cores a curve is measured.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_CORE_SETS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_CORE_SETS_H_

#include <cstdint>
#include <vector>

#include "benchmarks/machine/topology.h"

namespace roofmark {

// Indices into Topology::cores, which are the team's workers too.
struct CoreSet {
  std::vector<uint32_t> workers;
  uint32_t packages = 1;

  uint32_t cores() const { return static_cast<uint32_t>(workers.size()); }
};

// One core, the first package whole (where there are several), all cores.
std::vector<CoreSet> FewCoreSets(const Topology& topology);

// 1, 2, 3, 4, 6, 8, 12 ... cores of the first package, then as many of every package side by side:
// the curve of a job that fills a package before the next, and that of one that spreads.
std::vector<CoreSet> ManyCoreSets(const Topology& topology);

// The cores nearest to a NUMA node.
CoreSet CoresOfNode(const Topology& topology, uint32_t numa_node);

// Distinct last-level caches of a set's cores, and the most of its cores that share one.
uint32_t LastLevelCaches(const Topology& topology, const CoreSet& set);
uint32_t MostSharing(const Topology& topology, const CoreSet& set);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_CORE_SETS_H_
