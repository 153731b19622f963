// SPDX-License-Identifier: BSD-3-Clause
//
// Whose code a thread executes: what is executed for others than the program is no work of its
// regions.
#ifndef ROOFMARK_LIB_CORE_LAYER_H_
#define ROOFMARK_LIB_CORE_LAYER_H_

#include <cstdint>

namespace roofmark {

// The libraries that wrap MPI and OpenMP hand these numbers over: they never change.
enum class Layer : uint32_t {
  kWork = 0,     // the program's own
  kMpi = 1,      // an MPI call, from its entry to its return
  kRuntime = 2,  // an OpenMP runtime, which waits and schedules
  kOwn = 3,      // roofmark
};

// In the place of a layer: nobody follows them.
inline constexpr uint32_t kLayersNotFollowed = UINT32_MAX;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_LAYER_H_
