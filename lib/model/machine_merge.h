// SPDX-License-Identifier: BSD-3-Clause
//
// Measurements of several nodes of one kind as one machine, with the spread between them. Plain
// data: merging needs neither MPI nor the nodes.
#ifndef ROOFMARK_LIB_MODEL_MACHINE_MERGE_H_
#define ROOFMARK_LIB_MODEL_MACHINE_MERGE_H_

#include <vector>

#include "lib/core/result.h"
#include "lib/model/machine.h"

namespace roofmark {

// Nodes whose values differ by more than this share of their median are named in the note.
inline constexpr double kNodesDiffer = 0.05;

// One machine per node, each with the node's name in `nodes`. A point's value is the median of the
// nodes'; what some nodes lack, and kernels, microcodes or CPU sets that differ, are said in notes
// and warnings, and the description is that of a node with the most common CPU set. One machine
// comes back as it is. Errors: no machine, or not all of one kind (KindOf).
Result<Machine> MergeMachines(std::vector<Machine> machines);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MACHINE_MERGE_H_
