// SPDX-License-Identifier: BSD-3-Clause
//
// What to do first: whatever costs the run time, in order of what a fix can save. Deterministic:
// equal profiles give equal advice.
#ifndef ROOFMARK_LIB_MODEL_ADVICE_H_
#define ROOFMARK_LIB_MODEL_ADVICE_H_

#include <cstdint>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/model/runtime_ceilings.h"

namespace roofmark {

// One region's ceilings that are worth fixing, the most useful first: by rank.
std::vector<const Ceiling*> WorthCuring(const RuntimeModel& region);

// What the region can save by one cure of which the gain is known. At least: what its own work then
// needs less, if the time that is not explained stays; where two resources limit it, if what is
// left of them does not overlap; 0 where nothing that was counted limits it, for what does may hide
// all of that, and where nothing proves that the cure gives anything. At most: what is saved if
// that time shrinks with the rest. Both are wider by what the roofs and the time are uncertain.
TimeInterval SavedBy(const Ceiling& ceiling, const PathAnalysis& path);

// Most of its time lies in regions below it: it is left to them.
bool IsFrame(const JobProfile& job, const JobAnalysis& analysis, size_t path);

enum class AdviceKind : uint8_t {
  kCure,         // fix a shortfall of the region's work
  kWaiting,      // find out what the region waits for
  kKernel,       // make the kernel work less for the region
  kMpiWork,      // make MPI work less for the region
  kUnexplained,  // find out what delays the region beyond what was counted
};

struct Advice {
  size_t path = 0;  // index into the profile's
  AdviceKind kind = AdviceKind::kCure;
  Shortfall shortfall = Shortfall::kFmaBalance;  // of a cure
  double gain = 1;                               // of a cure: geometric middle of its interval
  Ease ease = Ease::kCompiler;
  // Of this run; of a cure as SavedBy() says. Never of time in MPI.
  TimeInterval saves;
  // Between the two: without their uncertainty, the more of the time the model explains, the nearer
  // to the upper end, but half as near where nothing that was counted limits the region; in the
  // middle where two resources limit it, and half of that where the cure may give nothing. Of what
  // is not explained, of waiting, and of the kernel's and MPI's work, half.
  double expected_s = 0;
};

// By which advice is sorted: expected seconds over effort, in nanoseconds, so that equals are equal
// on every machine.
int64_t ScoreOf(const Advice& advice);

// All advice for the run, sorted by expected seconds over effort. What is expected to save less
// than 1 % of the run, or less than its region's times differ by between executions (Noise()), is
// left out, and a region most of whose time lies in regions below it is left
// to them. Of a region of phases only its own code is advised about.
std::vector<Advice> AdviceFor(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ADVICE_H_
