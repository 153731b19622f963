// SPDX-License-Identifier: BSD-3-Clause
//
// Runtime-oriented ceilings (section A.3 and figure A6 of the 2008 roofline report): what each
// shortfall of one run costs one region. Two numbers each.
//
// Ceiling: the ideal region (all its operations in the widest fused instructions, perfectly
// balanced, only compulsory traffic) with the shortfalls applied one after another in the order of
// shortfall.h, separately for compute, memory and intensity: each stack ends at what this mix can
// attain. Gain: attainable with all shortfalls but this one, over attainable with all.
#ifndef ROOFMARK_LIB_MODEL_RUNTIME_CEILINGS_H_
#define ROOFMARK_LIB_MODEL_RUNTIME_CEILINGS_H_

#include <string>
#include <vector>

#include "lib/model/ceiling.h"
#include "lib/model/region_inputs.h"
#include "lib/model/shortfall.h"
#include "lib/model/value.h"

namespace roofmark {

// What the gains leave out.
enum class RuntimeNote : uint8_t { kNone, kDramUnknown };

// What the two sides of the cores need (ResourceTimes), and by which resource.
struct Sides {
  double core_s = 0, memory_s = 0;
  std::string core, memory;  // empty where nothing is needed
};

struct RuntimeModel {
  // "FLOP", or "operation" where a region has declared operations and no FLOPs.
  std::string unit = "FLOP";
  // What the region's mix can attain: GFLOP/s, or 1e9 operations per second.
  Value attainable;
  std::string binding;  // as ResourceTimes::Binding()
  Roof roof;            // behind that (RoofBehind)
  Sides sides;
  // Seconds of the busiest resource, where dependences were followed: known without FLOPs, too.
  Value needed_s;
  Dependences dependences;
  MemoryStreams streams;
  HugePages huge_pages = HugePages::kNotKnown;
  // Of the ideal region, from which the stacks begin: GFLOP/s as above, and GB/s of its mixture of
  // reads and writes; 0: not known.
  double ideal_gflops = 0, ideal_gbs = 0;
  double ideal_intensity = 0;  // of compulsory traffic alone; 0: not known
  bool kinds_told = true;      // by the counters, of floating-point instructions
  double lanes_possible = 1;
  // Attainable with every compute and memory shortfall cured at this intensity, and with an
  // intensity at which DRAM does not bind, both over attainable: moving up against moving right.
  Value gain_up, gain_right;
  std::vector<Ceiling> ceilings;  // of all shortfalls, in order; empty without a machine
  RuntimeNote note = RuntimeNote::kNone;
};

// Below this a gain is not worth naming.
inline constexpr double kLeastGain = 1.02;

// The shortfall's, but for operations that are fused already: only other work beside them could use
// the pipes that add, which is inherent in an algorithm (section 4 of the 2008 report).
Ease EaseOf(const Ceiling& ceiling);
// True for those.
bool IsFusedAlready(const Ceiling& ceiling);

// "GFLOP/s", "GB/s" or "FLOP/byte"; of operations where the region has no FLOPs.
std::string_view AxisUnit(CeilingAxis axis, const RuntimeModel& runtime);

// Nothing rests on a bound that is wrong: no attainable performance, no ceiling, no gain.
void WithoutBound(const Why& why, RuntimeModel& runtime);

RuntimeModel RuntimeCeilingsOf(const RegionInputs& region, const JobModel& model);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_RUNTIME_CEILINGS_H_
