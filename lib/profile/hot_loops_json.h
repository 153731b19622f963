// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops as they stand in a roofline file.
#ifndef ROOFMARK_LIB_PROFILE_HOT_LOOPS_JSON_H_
#define ROOFMARK_LIB_PROFILE_HOT_LOOPS_JSON_H_

#include "lib/profile/hot_loops.h"
#include "lib/profile/json_document.h"

namespace roofmark {

Json WriteHotLoops(const HotLoops& loops);
HotLoops ReadHotLoops(const JsonNode& node);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_HOT_LOOPS_JSON_H_
