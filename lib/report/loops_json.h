// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops in the JSON of the analysis.
#ifndef ROOFMARK_LIB_REPORT_LOOPS_JSON_H_
#define ROOFMARK_LIB_REPORT_LOOPS_JSON_H_

#include "lib/incore/loop_view.h"
#include "lib/profile/json_document.h"

namespace roofmark {

Json LoopsJson(const incore::LoopsView& views);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LOOPS_JSON_H_
