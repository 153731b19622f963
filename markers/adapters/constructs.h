// SPDX-License-Identifier: BSD-3-Clause
//
// Regions of parallel constructs.
#ifndef ROOFMARK_MARKERS_ADAPTERS_CONSTRUCTS_H_
#define ROOFMARK_MARKERS_ADAPTERS_CONSTRUCTS_H_

#include <cstdint>

#include "markers/adapters/construct_name.h"

namespace roofmark::adapters {

// So many constructs have regions; further ones have none.
inline constexpr uint32_t kMostConstructs = 4096;

// 0: nothing records, or it has none. Without lock and memory, but for the first visit of a
// construct, which reads debug information. A construct is known by its body, or by its place if
// that is not known.
uint32_t RegionOfConstruct(const Construct& construct) noexcept;

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_CONSTRUCTS_H_
