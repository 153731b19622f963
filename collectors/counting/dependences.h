// SPDX-License-Identifier: BSD-3-Clause
//
// What an engine's windows of executed instructions say of all that a context executed.
#ifndef ROOFMARK_COLLECTORS_COUNTING_DEPENDENCES_H_
#define ROOFMARK_COLLECTORS_COUNTING_DEPENDENCES_H_

#include <array>
#include <cstdint>
#include <span>

#include "collectors/counting/schema.h"
#include "lib/core/metric.h"

namespace roofmark::counting {

inline constexpr size_t kDependences = metric::kLastDependence - metric::kFirstDependence + 1;

// By metric, from metric::kFirstDependence on: the cycles of the windows, scaled to all
// instructions of the context. Nothing where no window lay in it: then its part of the time is not
// known, and the sum stays a lower bound.
std::array<uint64_t, kDependences> DependencesOf(std::span<const uint64_t, ROOF_COUNTERS> counters);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_DEPENDENCES_H_
