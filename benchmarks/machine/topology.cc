// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/topology.h"

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "lib/core/cpu_list.h"
#include "lib/core/file.h"

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

// The cache farthest from a PU, or null.
hwloc_obj_t LastLevelOf(hwloc_obj_t pu) {
  hwloc_obj_t last = nullptr;
  for (hwloc_obj_t up = pu; up != nullptr; up = up->parent) {
    if (hwloc_obj_type_is_dcache(up->type)) last = up;
  }
  return last;
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
    hwloc_obj_t last = LastLevelOf(pu);
    cores.push_back({pu->os_index, package != nullptr ? package->logical_index : 0,
                     static_cast<uint32_t>(std::max(0, node)),
                     last != nullptr ? last->logical_index : 0});
  }
  return cores;
}

// hwloc names what the firmware tells: "HBM", "DRAM", "MCDRAM", "SPM", "NVM", "CXL-DRAM".
std::vector<NumaNode> ListNumaNodes(hwloc_topology_t topology, const std::vector<CoreInfo>& cores) {
  std::vector<NumaNode> nodes;
  hwloc_obj_t obj = nullptr;
  while ((obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, obj)) != nullptr) {
    NumaNode node;
    node.index = obj->os_index;
    if (obj->subtype != nullptr) node.kind = obj->subtype;
    node.memory_bytes = obj->attr->numanode.local_memory;
    for (const CoreInfo& core : cores) node.cores += core.numa_node == node.index;
    if (node.memory_bytes > 0 || node.cores > 0) nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<std::string> ListPackages(hwloc_topology_t topology) {
  std::vector<std::string> packages;
  const auto list = [&packages](hwloc_const_bitmap_t cpuset) {
    std::set<uint32_t> cpus;
    constexpr auto kCpus = static_cast<int>(limits::kCpus);
    for (int cpu = hwloc_bitmap_first(cpuset); cpu >= 0 && cpu < kCpus;
         cpu = hwloc_bitmap_next(cpuset, cpu)) {
      cpus.insert(static_cast<uint32_t>(cpu));
    }
    packages.push_back(FormatCpuList(cpus));
  };
  hwloc_obj_t obj = nullptr;
  while ((obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, obj)) != nullptr) {
    list(obj->cpuset);
  }
  if (packages.empty()) list(hwloc_get_root_obj(topology)->cpuset);
  return packages;
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

// Loads what `source` set up in the topology, and reads it.
Result<Topology> Read(hwloc_topology_t topology, bool restrict) {
  if (hwloc_topology_load(topology) != 0) return Error{"hwloc cannot load the topology"};
  if (restrict && !RestrictToAffinity(topology)) {
    return Error{"hwloc cannot restrict the topology to this process's cpuset"};
  }
  // -1: CPUs without end, which XML can say.
  const int last = hwloc_bitmap_last(hwloc_get_root_obj(topology)->cpuset);
  if (last < 0 || static_cast<uint32_t>(last) >= limits::kCpus) {
    return Error{fmt::format("it names CPUs beyond the limit of {}", limits::kCpus)};
  }
  Topology result;
  result.cores = ListCores(topology);
  if (result.cores.empty()) return Error{"this process may use no core"};
  result.caches = ListCaches(topology);
  result.numa = ListNumaNodes(topology, result.cores);
  result.package_cpus = ListPackages(topology);
  result.threads = Count(topology, HWLOC_OBJ_PU);
  return result;
}

Result<TopologyPointer> NewTopology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return Error{"hwloc cannot be initialised"};
  return TopologyPointer(raw);
}

}  // namespace

Result<Topology> ReadTopology() {
  const auto topology = NewTopology();
  if (!topology) return Error{topology.error()};
  return Read(topology->get(), true);
}

Result<Topology> ReadTopologyFile(const std::string& path) {
  const auto topology = NewTopology();
  if (!topology) return Error{topology.error()};
  const std::string cure = "; give a file that `lstopo FILE.xml` wrote";
  const auto text = ReadFile(path, limits::kTopologyBytes);
  if (!text) return Error{text.error() + cure};
  // With the zero at the end, as hwloc wants it.
  if (hwloc_topology_set_xmlbuffer(topology->get(), text->c_str(),
                                   static_cast<int>(text->size() + 1)) != 0) {
    return Error{path + " cannot be read as an hwloc topology" + cure};
  }
  auto result = Read(topology->get(), false);
  if (!result) return Error{path + ": " + result.error() + cure};
  return result;
}

Result<Topology> ReadSyntheticTopology(const std::string& description) {
  const auto topology = NewTopology();
  if (!topology) return Error{topology.error()};
  if (hwloc_topology_set_synthetic(topology->get(), description.c_str()) != 0) {
    return Error{"hwloc cannot read the topology " + description};
  }
  return Read(topology->get(), false);
}

uint64_t SharePerCore(const CacheLevel& level, uint32_t cores) {
  return level.size_bytes / std::clamp(level.shared_by_cores, 1u, std::max(1u, cores));
}

}  // namespace roofmark
