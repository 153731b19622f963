// SPDX-License-Identifier: BSD-3-Clause
//
// What of its caches a machine really gives: others may use the rest of a level that is shared, for
// example other virtual machines of a host.
#ifndef ROOFMARK_LIB_MODEL_FAST_CACHES_H_
#define ROOFMARK_LIB_MODEL_FAST_CACHES_H_

#include <span>
#include <string>

#include "lib/model/machine.h"

namespace roofmark {

// "most:L3:11585K": levels of which less than half is fast, as the sweep over working sets found
// it, in the form of ROOFMARK_CACHE. Of several machines the largest. Empty where all levels are
// what they say, or were not measured.
std::string FastCachesOf(std::span<const Machine> machines);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_FAST_CACHES_H_
