// SPDX-License-Identifier: BSD-3-Clause
//
// The part of the machine that this process may use: one PU per core of its cpuset, and the caches
// above them. CPU numbers are the kernel's, never positions.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_TOPOLOGY_H_
#define ROOFMARK_BENCHMARKS_MACHINE_TOPOLOGY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/model/machine.h"

namespace roofmark {

struct CoreInfo {
  uint32_t cpu = 0;  // the core's first PU, as the kernel counts
  uint32_t package = 0, numa_node = 0;
};

struct Topology {
  std::vector<CoreInfo> cores;     // in the machine's order, so neighbours share caches
  std::vector<CacheLevel> caches;  // ascending in level; as the first core sees them
  uint32_t packages = 1, threads = 1, numa_nodes = 1;
};

// `synthetic` is an hwloc description ("pack:2 l3:1(size=32m) ...") for tests; empty: this
// machine, within sched_getaffinity. Error: hwloc fails, or nothing is allowed.
Result<Topology> ReadTopology(const std::string& synthetic = "");

// Packages that the first `cores` cores lie in.
uint32_t PackagesOf(const Topology& topology, uint32_t cores);

// The part of a level that one core has when the first `cores` cores are active.
uint64_t SharePerCore(const CacheLevel& level, uint32_t cores);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_TOPOLOGY_H_
