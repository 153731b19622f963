// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_SYNC=node: the processes of a job on a node wait for each other at a boundary, so that
// what a package's controllers count belongs to one region.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_SYNC_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_SYNC_H_

#include <cstdint>

#include "collectors/hardware/package/segment.h"

namespace roofmark::package {

// Returns when `members` have called it, or after a bounded time; then the barrier is off for all,
// for good. False in the process that gave up: it should say so.
bool WaitForNode(Barrier& barrier, uint32_t members) noexcept;

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_SYNC_H_
