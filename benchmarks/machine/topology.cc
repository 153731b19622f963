// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/topology.h"

#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <memory>
#include <set>

namespace roofmark {
namespace {

struct TopologyDestroyer {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using TopologyPointer = std::unique_ptr<hwloc_topology, TopologyDestroyer>;

// To the affinity mask: a launcher's binding or a container's cpuset.
bool RestrictToAffinity(hwloc_topology_t topology) {
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
  const bool known = hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) == 0;
  const bool done = !known || hwloc_topology_restrict(topology, allowed, 0) == 0;
  hwloc_bitmap_free(allowed);
  return done;
}

uint32_t Count(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return static_cast<uint32_t>(std::max(0, hwloc_get_nbobjs_by_type(topology, type)));
}

std::vector<CoreInfo> ListCores(hwloc_topology_t topology) {
  std::vector<CoreInfo> cores;
  hwloc_obj_t pu = nullptr;
  std::set<hwloc_obj_t> seen;
  while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr) {
    // Some virtual machines show no cores: each PU is one then.
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    if (core != nullptr && !seen.insert(core).second) continue;
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu);
    const int node = pu->nodeset != nullptr ? hwloc_bitmap_first(pu->nodeset) : 0;
    cores.push_back({pu->os_index, package != nullptr ? package->logical_index : 0,
                     static_cast<uint32_t>(std::max(0, node))});
  }
  return cores;
}

uint32_t CoresBelow(hwloc_topology_t topology, hwloc_obj_t cache) {
  const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
  const int pus = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_PU);
  return static_cast<uint32_t>(std::max(1, cores > 0 ? cores : pus));
}

std::vector<CacheLevel> ListCaches(hwloc_topology_t topology) {
  std::vector<CacheLevel> levels;
  for (hwloc_obj_t up = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0); up != nullptr;
       up = up->parent) {
    if (!hwloc_obj_type_is_dcache(up->type) || up->attr->cache.size == 0) continue;
    CacheLevel level;
    level.level = up->attr->cache.depth;
    level.size_bytes = up->attr->cache.size;
    const int ways = up->attr->cache.associativity;  // 0 unknown, -1 fully associative
    if (up->attr->cache.linesize > 0) level.line_bytes = up->attr->cache.linesize;
    level.ways = ways > 0   ? static_cast<uint32_t>(ways)
                 : ways < 0 ? static_cast<uint32_t>(level.size_bytes / level.line_bytes)
                            : 0;
    level.shared_by_cores = CoresBelow(topology, up);
    levels.push_back(level);
  }
  return levels;
}

}  // namespace

Result<Topology> ReadTopology(const std::string& synthetic) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return Error{"hwloc does not start"};
  const TopologyPointer topology(raw);
  if (!synthetic.empty() && hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0) {
    return Error{"hwloc does not understand the topology " + synthetic};
  }
  if (hwloc_topology_load(raw) != 0) return Error{"hwloc cannot read this machine's topology"};
  if (synthetic.empty() && !RestrictToAffinity(raw)) {
    return Error{"hwloc cannot restrict the topology to this process's cpuset"};
  }
  Topology result;
  result.cores = ListCores(raw);
  if (result.cores.empty()) return Error{"this process may use no core"};
  result.caches = ListCaches(raw);
  result.packages = std::max(1u, Count(raw, HWLOC_OBJ_PACKAGE));
  result.threads = Count(raw, HWLOC_OBJ_PU);
  result.numa_nodes = std::max(1u, Count(raw, HWLOC_OBJ_NUMANODE));
  return result;
}

uint32_t PackagesOf(const Topology& topology, uint32_t cores) {
  std::set<uint32_t> packages;
  for (uint32_t i = 0; i < cores && i < topology.cores.size(); ++i) {
    packages.insert(topology.cores[i].package);
  }
  return static_cast<uint32_t>(packages.size());
}

uint64_t SharePerCore(const CacheLevel& level, uint32_t cores) {
  return level.size_bytes / std::clamp(level.shared_by_cores, 1u, std::max(1u, cores));
}

}  // namespace roofmark
