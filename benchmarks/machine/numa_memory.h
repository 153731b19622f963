// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_NUMA_MEMORY_H_
#define ROOFMARK_BENCHMARKS_MACHINE_NUMA_MEMORY_H_

#include <cstdint>
#include <string>

#include "benchmarks/machine/buffer.h"

struct hwloc_topology;

namespace roofmark {

// Binds memory to NUMA nodes. Loads the machine's topology once, some milliseconds.
class NumaBinder {
 public:
  NumaBinder();
  ~NumaBinder();
  NumaBinder(const NumaBinder&) = delete;
  NumaBinder& operator=(const NumaBinder&) = delete;

  // Pages of an untouched buffer will come from that node (index as the kernel counts) only. False:
  // the kernel or a container does not allow it.
  bool Bind(const Buffer& buffer, uint32_t node) const;

 private:
  hwloc_topology* topology_ = nullptr;  // null: hwloc failed
};

// Free memory of a node, in bytes; 0 if the kernel does not say. `root` stands before /sys.
uint64_t FreeNodeBytes(uint32_t node, const std::string& root = "");

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_NUMA_MEMORY_H_
