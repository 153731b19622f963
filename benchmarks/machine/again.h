// SPDX-License-Identifier: BSD-3-Clause
//
// Points that contradict each other are measured again: both of them, for which one is wrong is not
// known.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_AGAIN_H_
#define ROOFMARK_BENCHMARKS_MACHINE_AGAIN_H_

#include <utility>
#include <vector>

#include "benchmarks/machine/sampler.h"
#include "lib/model/machine_contradictions.h"

namespace roofmark {

// What was measured of tasks before, by their index.
using EarlierSamples = std::vector<std::pair<size_t, MeasureTask>>;

// Takes their samples from the tasks behind these points, so that they are measured anew.
EarlierSamples ForgetContradictory(const std::vector<FigureContradiction>& contradictions,
                                   std::vector<MeasureTask>& tasks);

// Those of tasks of which fewer undisturbed samples were taken again than there were, and than are
// `enough`, because the time was up or other work disturbed them.
void RestoreUnmeasured(const EarlierSamples& earlier, size_t enough,
                       std::vector<MeasureTask>& tasks);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_AGAIN_H_
