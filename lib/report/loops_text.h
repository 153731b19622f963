// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops for the terminal.
#ifndef ROOFMARK_LIB_REPORT_LOOPS_TEXT_H_
#define ROOFMARK_LIB_REPORT_LOOPS_TEXT_H_

#include <string>

#include "lib/incore/loop_view.h"
#include "lib/report/report.h"

namespace roofmark {

// One line each: share, iterations for each entry, lanes, cycles, name.
std::string RenderLoopList(const incore::LoopsView& views);

// The loops one after the other, each with its sentences and its assembly. `region` is the path
// that they are of; its dependences as the counting engine followed them come first.
std::string RenderLoops(const ReportJob& job, const incore::LoopsView& views,
                        const std::string& region);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LOOPS_TEXT_H_
