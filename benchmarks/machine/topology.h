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
  uint32_t cpu = 0;         // the core's first PU, as the kernel counts
  uint32_t package = 0;     // counted from 0 in the machine's order
  uint32_t numa_node = 0;   // the nearest one's index, as the kernel counts
  uint32_t last_level = 0;  // which last-level cache, counted from 0
};

struct Topology {
  std::vector<CoreInfo> cores;            // in the machine's order, so neighbours share caches
  std::vector<CacheLevel> caches;         // ascending in level; as the first core sees them
  std::vector<NumaNode> numa;             // those with memory that this process may use
  std::vector<std::string> package_cpus;  // PUs of each package, list form
  uint32_t threads = 1;

  uint32_t packages() const { return static_cast<uint32_t>(package_cpus.size()); }
};

// This machine, within sched_getaffinity. Error: hwloc fails, or nothing is allowed.
Result<Topology> ReadTopology();
// Another machine, for plans and tests: an hwloc XML file (`lstopo FILE.xml`), or hwloc's synthetic
// description ("pack:2 l3:1(size=32m) ..."). hwloc believes what stands in the file: what is not
// trusted is read in a process of its own.
Result<Topology> ReadTopologyFile(const std::string& path);
Result<Topology> ReadSyntheticTopology(const std::string& description);

// The part of a level that one core has when `cores` neighbours are active.
uint64_t SharePerCore(const CacheLevel& level, uint32_t cores);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_TOPOLOGY_H_
