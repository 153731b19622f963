// SPDX-License-Identifier: BSD-3-Clause
//
// What to do first: the runtime-oriented ceilings of all regions as sentences, in order of what a
// cure can save. Deterministic: equal profiles give equal advice.
#ifndef ROOFMARK_LIB_MODEL_ADVICE_H_
#define ROOFMARK_LIB_MODEL_ADVICE_H_

#include <string>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/model/runtime_ceilings.h"

namespace roofmark {

// "SIMD: 1.2 of 8 lanes used; vectorising is worth up to 3.9x". No full stop.
std::string AdviceSentence(const RuntimeCeiling& ceiling, const RuntimeModel& region);

// One region's ceilings that are worth curing, first things first: by rank.
std::vector<const RuntimeCeiling*> WorthCuring(const RuntimeModel& region);

struct Advice {
  size_t path = 0;  // index into the profile's
  Shortfall shortfall = Shortfall::kFmaBalance;
  Ease ease = Ease::kCompiler;
  double gain = 1;     // geometric middle of its interval
  double saved_s = 0;  // of the region's time, if it gained that much
  std::string sentence;
};

// Over the whole run, by saved seconds over effort. A region most of whose time lies in regions
// below it is left to them; one that waits is no matter of its ceilings; of one that waits for a
// part of its time only the rest can be saved.
std::vector<Advice> AdviceFor(const JobProfile& job, const JobAnalysis& analysis);

// Regions that wait (waiting.h), those that take most time first; indices into the profile's.
std::vector<size_t> WaitingRegions(const JobProfile& job, const JobAnalysis& analysis);

// "DRAM binds; moving right is worth up to 2.1x, moving up 1.3x", or empty.
std::string MovesSentence(const RuntimeModel& region);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ADVICE_H_
