// SPDX-License-Identifier: BSD-3-Clause
//
// For libraries that stand in front of MPI and of OpenMP runtimes: they tell libroofmark.so, if it
// is there, in which layer the calling thread goes on.
#ifndef ROOFMARK_LIB_CORE_FOLLOW_LAYER_H_
#define ROOFMARK_LIB_CORE_FOLLOW_LAYER_H_

#include <cstdint>

#include "lib/core/layer.h"

// Of libroofmark.so; missing where the program runs without. Returns the layer in which the thread
// was, or kLayersNotFollowed.
extern "C" __attribute__((weak)) uint32_t roofmark_layer(uint32_t layer);

namespace roofmark {

inline uint32_t FollowInto(Layer layer) noexcept {
  return roofmark_layer == nullptr ? kLayersNotFollowed
                                   : roofmark_layer(static_cast<uint32_t>(layer));
}

// `before`: what FollowInto returned.
inline void FollowBack(uint32_t before) noexcept {
  if (__builtin_expect(before != kLayersNotFollowed, 0)) roofmark_layer(before);
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FOLLOW_LAYER_H_
