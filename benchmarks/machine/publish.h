// SPDX-License-Identifier: BSD-3-Clause
//
// From series of samples to the ceilings of a machine file.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_PUBLISH_H_
#define ROOFMARK_BENCHMARKS_MACHINE_PUBLISH_H_

#include <vector>

#include "benchmarks/machine/sampler.h"
#include "lib/model/machine.h"

namespace roofmark {

// A figure above this many times what the clock allows is impossible.
inline constexpr double kClockSlack = 1.02;

// Appends to `machine` the ceilings that the tasks measured, in their order: the best task where
// several serve one id, then what follows from them (ilp, peak, clock). A task with a wrong result
// or an impossible figure gives no point but a warning; one that was never undisturbed gives its
// figures with a note.
void PublishCeilings(const std::vector<MeasureTask>& tasks, Machine& machine);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_PUBLISH_H_
