// SPDX-License-Identifier: BSD-3-Clause
//
// A region with inner regions is the sum of its phases, one after another: what limits it is what
// limits the regions that its time is spent in. One sum of all their work would name the resource
// that is busiest on average, which may limit none of them.
#ifndef ROOFMARK_LIB_MODEL_PHASES_H_
#define ROOFMARK_LIB_MODEL_PHASES_H_

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "lib/model/analysis.h"
#include "lib/model/time_split.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Of a region's time, what one kind of limit must hold to be called the region's. By Amdahl's law a
// cure of all that is left makes the region at most 1.25 times as fast.
inline constexpr double kOneKind = 0.8;
// Kinds below this share are put together: times of regions are not known better than that
// (kLeastUncertainty).
inline constexpr double kLeastPhase = 0.05;

// A region among others.
struct Nest {
  size_t around = 0;   // the region right around it, or kOutermost
  double time_ns = 0;  // of all ranks together, inner regions included
  Limit limit;         // by the sum of its work, inner regions included
  Limit body;          // of its own code, outside of inner regions; unused where there are none
};

// Of each region, its time by kinds of limits; empty where it has no time. A region's own time is
// what its inner regions leave of it; where they take more than all of it (threads beside each
// other, the clock), they share it in proportion. `nests` has regions before those in them.
std::vector<std::vector<Phase>> PhasesOf(std::span<const Nest> nests);

// What limits a region of these phases: the kind that has kOneKind of its time, else
// LimitedBy::kPhases. `limit`, by the sum of its work, where it is of that kind, or where nothing
// is known of so much of the time.
Limit LimitOfPhases(const Limit& limit, std::vector<Phase> phases);

// Replaces the limits of regions in which other ones take more than 1 - kOneKind of the time, and
// that of the program. Their ceilings are no advice then, only those of their own code are.
// `analyze` is asked about a path of a profile: the own code of such a region.
using AnalyzeOne = std::function<PathAnalysis(const JobProfile&, size_t)>;
void LimitByPhases(const JobProfile& job, const AnalyzeOne& analyze, JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_PHASES_H_
