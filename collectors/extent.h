// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_EXTENT_H_
#define ROOFMARK_COLLECTORS_EXTENT_H_

#include <cstddef>
#include <cstdint>

#include "lib/counts/strata.h"

namespace roofmark {

// How much a collector counts at a time.
enum class Extent : uint8_t {
  kAll,       // in the stratum 0
  kFirst,     // all; some region has not ended its first visit, so that caches may be cold
  kCheap,     // as many visits of all regions as wanted were measured: only what costs little
  kNothing,   // recording is paused
  kStratum1,  // all, in this stratum (lib/counts/strata.h); those of the others follow
  // All, so that caches get warm: traffic is not what it is elsewhere.
  kWarm = kStratum1 + counts::kStrata - 1
};

constexpr Extent InStratum(size_t stratum) {
  return stratum == 0 ? Extent::kAll
                      : static_cast<Extent>(static_cast<size_t>(Extent::kStratum1) + stratum - 1);
}
// True for kAll, too.
constexpr bool IsStratum(Extent extent) {
  return extent == Extent::kAll || (extent >= Extent::kStratum1 && extent < Extent::kWarm);
}
// `extent` is a stratum.
constexpr size_t StratumIn(Extent extent) {
  return extent == Extent::kAll
             ? 0
             : static_cast<size_t>(extent) - static_cast<size_t>(Extent::kStratum1) + 1;
}
constexpr bool CountsAll(Extent extent) { return IsStratum(extent) || extent == Extent::kFirst; }

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_EXTENT_H_
