// SPDX-License-Identifier: BSD-3-Clause
//
// Where the cache levels really end: plateaus in bandwidth against working set. The reported size
// is where to look first, not the answer: a virtual machine may be told of a last level that it
// shares with unseen neighbours.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_PLATEAU_H_
#define ROOFMARK_BENCHMARKS_MACHINE_PLATEAU_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace roofmark {

struct SweepPoint {
  uint64_t bytes = 0;  // working set per core
  double rate = 0;     // any unit
};

struct Plateau {
  uint64_t end_bytes = 0;  // largest working set that still runs at the plateau's rate
  double rate = 0;         // median over the plateau
};

// One answer per entry of `reported` (sizes per core, ascending); `sweep` ascends in size and ends
// beyond the last level. nullopt: no plateau, which is at least three points (an octave at steps of
// sqrt 2) within 15 % of each other that lie 15 % above what follows them. A single slow point
// inside one is taken for noise.
std::vector<std::optional<Plateau>> FindPlateaus(const std::vector<SweepPoint>& sweep,
                                                 const std::vector<uint64_t>& reported);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_PLATEAU_H_
