// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/uncertainty.h"

#include <algorithm>

#include "lib/model/repeats.h"

namespace roofmark {

double TimeUncertainty(const PathInfo& path, const Value& time_s) {
  if (!time_s || *time_s <= 0) return 0;
  double half = Noise(path);
  if (time_s.within) {
    half = std::max({half, time_s.within->most - *time_s, *time_s - time_s.within->least});
  }
  return half / *time_s;
}

Roof RoofBehind(std::string_view resource, const RegionInputs& region, const JobRoofs& roofs) {
  Roof behind;
  const auto take = [&behind](const std::optional<Roof>& roof) {
    if (roof && roof->noise >= behind.noise) behind = *roof;
  };
  for (const MemoryLevel level : kAllLevels) {
    if (resource == LevelName(level)) take(roofs.bandwidth[static_cast<size_t>(level)]);
  }
  if (resource != "compute") return behind;
  for (const FlopClass& work : region.flops) {
    take(roofs.compute[static_cast<size_t>(work.precision)].peak);
  }
  return behind;
}

double CountUncertainty(std::string_view resource, const std::array<Value, kMemoryLevels>& bytes) {
  constexpr double kMost = 100;
  for (const MemoryLevel level : kAllLevels) {
    const Value& moved = bytes[static_cast<size_t>(level)];
    if (resource != LevelName(level) || !moved || !moved.within || *moved <= 0) continue;
    return *moved < kMost * moved.within->least ? *moved / moved.within->least - 1 : kMost;
  }
  return 0;
}

bool IsBroken(double excess, const Uncertainty& by) {
  return excess > (1 + by.bound) * (1 + kLeastUncertainty + by.time);
}

}  // namespace roofmark
