// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/numa_memory.h"

#include <hwloc.h>

#include <cstdlib>

#include "lib/core/file.h"

namespace roofmark {

NumaBinder::NumaBinder() {
  if (hwloc_topology_init(&topology_) != 0) {
    topology_ = nullptr;
  } else if (hwloc_topology_load(topology_) != 0) {
    hwloc_topology_destroy(topology_);
    topology_ = nullptr;
  }
}

NumaBinder::~NumaBinder() {
  if (topology_ != nullptr) hwloc_topology_destroy(topology_);
}

bool NumaBinder::Bind(const Buffer& buffer, uint32_t node) const {
  if (topology_ == nullptr || buffer.data() == nullptr) return false;
  hwloc_obj_t obj = hwloc_get_numanode_obj_by_os_index(topology_, node);
  return obj != nullptr &&
         hwloc_set_area_membind(topology_, buffer.data(), buffer.size(), obj->nodeset,
                                HWLOC_MEMBIND_BIND,
                                HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT) == 0;
}

uint64_t FreeNodeBytes(uint32_t node, const std::string& root) {
  const auto text =
      ReadFile(root + "/sys/devices/system/node/node" + std::to_string(node) + "/meminfo");
  if (!text) return 0;
  // "Node 0 MemFree:  123 kB"
  const std::string key = "MemFree:";
  const size_t at = text->find(key);
  if (at == std::string::npos) return 0;
  return std::strtoull(text->c_str() + at + key.size(), nullptr, 10) * 1024;
}

}  // namespace roofmark
