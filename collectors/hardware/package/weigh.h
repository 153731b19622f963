// SPDX-License-Identifier: BSD-3-Clause
//
// From raw sums of a package's events to metrics.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_WEIGH_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_WEIGH_H_

#include <cstdint>
#include <vector>

#include "collectors/hardware/package/plan.h"
#include "collectors/hardware/threads/delta.h"
#include "lib/core/status.h"

namespace roofmark::package {

using threads::Weighed;

// Bytes of each controller that has events, all metrics in bytes together.
std::vector<uint64_t> BytesByController(const Plan& plan, const std::vector<uint32_t>& events,
                                        const threads::Sum* sums);

// Of all controllers; 0 and kInvalid if a part is.
Weighed TotalBytes(const Plan& plan, const threads::Sum* sums);

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_WEIGH_H_
