// SPDX-License-Identifier: BSD-3-Clause
//
// Paths of a spool as the markers could have made them.
#ifndef ROOFMARK_LIB_SPOOL_STRAIGHTEN_H_
#define ROOFMARK_LIB_SPOOL_STRAIGHTEN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/fold/fold.h"

namespace roofmark::spool {

// "name lost (7)".
std::string LostName(uint32_t path);

// The markers record no two paths of one name, and none that is deeper or longer than the limits.
// What claims to be one stands apart from now on; its ids are returned. Every node has a name.
std::vector<uint32_t> StraightenPaths(FoldInput& input);

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_STRAIGHTEN_H_
