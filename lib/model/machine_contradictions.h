// SPDX-License-Identifier: BSD-3-Clause
//
// Figures of one machine that contradict each other: of two of them one at least was measured while
// something else had the cores or the memory.
#ifndef ROOFMARK_LIB_MODEL_MACHINE_CONTRADICTIONS_H_
#define ROOFMARK_LIB_MODEL_MACHINE_CONTRADICTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/model/machine.h"

namespace roofmark {

// One of two points that contradict each other.
struct DoubtfulPoint {
  std::string id;  // of the ceiling
  uint32_t cores = 1, packages = 1;

  bool operator==(const DoubtfulPoint&) const = default;
};

struct FigureContradiction {
  DoubtfulPoint low, high;  // the one that is too low beside the other, or the other too high
  std::string sentence;     // "DRAM read: 1.67 GB/s on 2 cores, 26 GB/s on 1 core"
};

// More cores of a package compute, or move, less than fewer; a memory level delivers less than
// the one behind it to the same cores. Both by more than a fifth, or than the noise of both, which
// excuses two fifths at most: figures with much noise are no better for that.
std::vector<FigureContradiction> ContradictionsOf(const Machine& machine);

// Their sentences become Machine::contradictions.
void NoteContradictions(Machine& machine);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MACHINE_CONTRADICTIONS_H_
