// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_EXTENT_H_
#define ROOFMARK_COLLECTORS_EXTENT_H_

#include <cstdint>

namespace roofmark {

// How much a collector counts at a time.
enum class Extent : uint8_t {
  kAll,
  kFirst,   // all; some region has not ended its first visit, so that caches may be cold
  kCheap,   // as many visits of all regions as wanted were measured: only what costs little
  kNothing  // recording is paused
};

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_EXTENT_H_
