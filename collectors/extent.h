// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_EXTENT_H_
#define ROOFMARK_COLLECTORS_EXTENT_H_

#include <cstdint>

namespace roofmark {

// How much a collector counts at a time.
enum class Extent : uint8_t {
  kNothing,  // recording is paused
  kCheap,    // as many visits of all regions as wanted were measured: only what costs little
  kAll
};

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_EXTENT_H_
