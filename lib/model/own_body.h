// SPDX-License-Identifier: BSD-3-Clause
//
// What regions do outside of the regions in them: a profile's figures contain those of inner
// regions.
#ifndef ROOFMARK_LIB_MODEL_OWN_BODY_H_
#define ROOFMARK_LIB_MODEL_OWN_BODY_H_

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "lib/profile/profile.h"

namespace roofmark {

inline constexpr size_t kOutermost = std::numeric_limits<size_t>::max();

// Of each path the one right around it that the profile has, or kOutermost.
std::vector<size_t> PathsAround(const JobProfile& job);

// A path, and those right in it.
struct NestedPath {
  size_t path;
  std::vector<size_t> inner;
};

// A profile with a path for each of `nested`: what that did, without its inner paths. Sums over
// ranks are exact, but at least 0. A maximum over ranks is exact of one rank, else the difference
// of the maxima, between the mean and the sum. Has nothing of a metric that an inner path lacks: no
// difference is known.
JobProfile OwnBodiesOf(const JobProfile& job, std::span<const NestedPath> nested);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_OWN_BODY_H_
