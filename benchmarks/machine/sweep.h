// SPDX-License-Identifier: BSD-3-Clause
//
// Memory large enough to be DRAM, and where the cache levels end below it.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_SWEEP_H_
#define ROOFMARK_BENCHMARKS_MACHINE_SWEEP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "benchmarks/machine/buffer.h"
#include "benchmarks/machine/plateau.h"
#include "benchmarks/machine/sampler.h"
#include "benchmarks/machine/topology.h"

namespace roofmark {

// Appends a slab of each of `bytes` to `slabs`, each filled by the worker named for it (which
// brings its pages to that worker's NUMA node). False: no memory.
bool AppendSlabs(Team& team, const std::vector<uint64_t>& bytes,
                 const std::vector<uint32_t>& workers, std::vector<Buffer>* slabs,
                 Pages pages = Pages::kHuge);
// Fills memory of the caller's as slabs are filled.
void FillSlab(const Buffer& slab);

// Read bandwidth of the first core against the working set, up to the first slab's size: appends
// the sizes beyond those that `sweep` has already.
void Sweep(Sampler& sampler, const std::vector<Buffer>& slabs, const std::atomic<bool>* stop,
           std::vector<SweepPoint>* sweep);

// A working set of so many times the last level is in DRAM for sure.
inline constexpr uint64_t kDramPerLastLevel = 8;

// Did the sweep find where the last level ends, and go on to kDramPerLastLevel times as much? Then
// it is of no interest that more was reported. `plateaus` as FindPlateaus() has them.
bool EndsInDram(const std::vector<SweepPoint>& sweep,
                const std::vector<std::optional<Plateau>>& plateaus);

// Has the last doubling of the working set changed the rate by less than `tolerance`? The faster
// point of each octave counts, since disturbances only slow.
bool EndsFlat(const std::vector<SweepPoint>& sweep, double tolerance);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_SWEEP_H_
