// SPDX-License-Identifier: BSD-3-Clause
//
// What is measured of the memory hierarchy, and in which memory.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_MEMORY_PLAN_H_
#define ROOFMARK_BENCHMARKS_MACHINE_MEMORY_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/machine/buffer.h"
#include "benchmarks/machine/plan.h"
#include "benchmarks/machine/plateau.h"
#include "benchmarks/machine/sampler.h"
#include "benchmarks/machine/topology.h"

namespace roofmark {

// Of the last level, as the sweep found it if it did.
uint64_t FastBytes(const Topology& topology);

// Where DRAM begins for sure, for one core: eight times the last level as it is reported, at least
// 256 MiB, at most `allowance`.
uint64_t DramBytes(const Topology& topology, uint64_t allowance);

// Memory that the chain of dependent loads runs through beside a working set of `total`.
uint64_t ChaseBytes(uint64_t total);

struct MemoryPlan {
  uint64_t total = 0;           // bytes that reach DRAM, of the cores that share a last-level cache
  std::vector<uint64_t> local;  // bytes of each worker's slab, touched first by that worker
  bool far = false;             // the same once more, all on the first worker's NUMA node
  uint64_t small = 0;           // bytes of each worker in pages of 4 KiB; 0: none
  uint64_t walk = 0;            // bytes of a chain in huge pages, and of one in pages of 4 KiB
  // The matrix of NUMA nodes: whose memory is read from every node with cores (positions in
  // Topology::numa; none: no matrix), and the slabs in each.
  std::vector<size_t> matrix;
  std::vector<uint64_t> node;
  std::vector<std::string> left_out;  // sentences

  // Of one node, the chain of loads included.
  uint64_t NodeBytes() const;
};

// `total` is what one core needs to reach DRAM, `allowance` all memory that may be used.
MemoryPlan PlanMemory(const Topology& topology, uint64_t total, uint64_t allowance);

// The memory itself; empty where the plan has none.
struct Slabs {
  std::vector<Buffer> local, far, small;  // by worker
  std::vector<std::vector<Buffer>> node;  // by NUMA node as in Topology::numa, then by rank
  std::vector<Buffer> chase;              // by NUMA node
};

// The tasks refer to `slabs`, which may be filled later.
std::vector<MeasureTask> DramTasks(const Topology& topology, const MemoryPlan& plan,
                                   const Slabs& slabs);
// What a core needs to find the address of a page: chains in pages of 4 KiB and in huge ones,
// through one line in each of so many, and through all lines of plan.walk bytes; null: not the
// latter.
std::vector<MeasureTask> PageTasks(const Topology& topology, const MemoryPlan* plan);
// Whether a task's figure means anything only beside one in huge pages.
bool NeedsHugePages(const MeasureTask& task);
// Of the levels that the sweep found; `plateaus` as many as caches.
std::vector<MeasureTask> CacheTasks(const Topology& topology,
                                    const std::vector<std::optional<Plateau>>& plateaus,
                                    const std::vector<CoreSet>& sets);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_MEMORY_PLAN_H_
