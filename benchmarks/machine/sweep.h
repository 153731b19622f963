// SPDX-License-Identifier: BSD-3-Clause
//
// Memory large enough to be DRAM, and where the cache levels end below it.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_SWEEP_H_
#define ROOFMARK_BENCHMARKS_MACHINE_SWEEP_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "benchmarks/machine/buffer.h"
#include "benchmarks/machine/plateau.h"
#include "benchmarks/machine/sampler.h"
#include "benchmarks/machine/topology.h"

namespace roofmark {

// `count` slabs of `bytes` each, filled by the threads of ranks 0 .. count - 1. Empty if there is
// no memory.
std::vector<Buffer> MakeSlabs(Team& team, uint32_t count, uint64_t bytes);

// Bytes per core when all are active, so that all together take `one` for each last-level cache,
// at least 32 MiB each, within `allowance` for all.
uint64_t SlabBytesOfAll(const Topology& topology, uint64_t one, uint64_t allowance);

// Read bandwidth of the first core against the working set, up to the first slab's size.
std::vector<SweepPoint> Sweep(Sampler& sampler, const std::vector<Buffer>& slabs,
                              const std::atomic<bool>* stop);

// Have the last two doublings of the working set changed the rate by less than `tolerance` each?
// The faster point of each octave counts, since disturbances only slow.
bool EndsFlat(const std::vector<SweepPoint>& sweep, double tolerance);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_SWEEP_H_
