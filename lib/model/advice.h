// SPDX-License-Identifier: BSD-3-Clause
//
// What to do first: the runtime-oriented ceilings of all regions, in order of what a fix can save.
// Deterministic: equal profiles give equal advice.
#ifndef ROOFMARK_LIB_MODEL_ADVICE_H_
#define ROOFMARK_LIB_MODEL_ADVICE_H_

#include <vector>

#include "lib/model/analysis.h"
#include "lib/model/runtime_ceilings.h"

namespace roofmark {

// One region's ceilings that are worth fixing, the most useful first: by rank.
std::vector<const Ceiling*> WorthCuring(const RuntimeModel& region);

struct Advice {
  size_t path = 0;  // index into the profile's
  Shortfall shortfall = Shortfall::kFmaBalance;
  Ease ease = Ease::kCompiler;
  double gain = 1;     // geometric middle of its interval
  double saved_s = 0;  // of the region's time, if it gained that much
};

// The advice for the whole run, sorted by saved seconds over effort. A region most of whose time
// lies in regions below it is left to them. A region that waits gets none, because its ceilings are
// not the cause; of one that waits for a part of its time, only the rest can be saved.
std::vector<Advice> AdviceFor(const JobProfile& job, const JobAnalysis& analysis);

// Regions that wait (waiting.h), those that take most time first; indices into the profile's.
std::vector<size_t> WaitingRegions(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ADVICE_H_
