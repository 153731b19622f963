// SPDX-License-Identifier: BSD-3-Clause
//
// How far the time of a region and the roofs that it is held against may be wrong: what a bound
// must exceed before it is known to be no bound, and what the interval of a gain contains.
#ifndef ROOFMARK_LIB_MODEL_UNCERTAINTY_H_
#define ROOFMARK_LIB_MODEL_UNCERTAINTY_H_

#include <array>
#include <string_view>

#include "lib/model/region_inputs.h"
#include "lib/model/value.h"
#include "lib/profile/profile.h"

namespace roofmark {

// By which a time, a count or a rate may be wrong where nothing more is known: counts are of
// another execution than times, and rates of another minute.
inline constexpr double kLeastUncertainty = 0.05;

// Relative to a region's time, and to what its bound rests on: a roof, and counts.
struct Uncertainty {
  double time = 0, bound = 0;
};

// By which a region's time may be wrong: half of its interval where visits took turns, half of what
// several executions differ by; the larger one.
double TimeUncertainty(const PathInfo& path, const Value& time_s);

// The machine's figure behind a resource (RuntimeModel::binding): the level's roof, or the noisiest
// peak among the precisions of the region; without noise where it is not known.
Roof RoofBehind(std::string_view resource, const RegionInputs& region, const JobRoofs& roofs);

// Of the bytes of a resource's level, where they were extrapolated: by which share they are above
// the lower end of their interval; 0 where they are exact, at most 100.
double CountUncertainty(std::string_view resource, const std::array<Value, kMemoryLevels>& bytes);

// Of a bound over what it may not exceed: it is above that by more than both are uncertain.
bool IsBroken(double excess, const Uncertainty& by);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_UNCERTAINTY_H_
