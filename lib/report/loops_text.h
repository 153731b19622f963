// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops for the terminal, and the sentences about them that every output shares.
#ifndef ROOFMARK_LIB_REPORT_LOOPS_TEXT_H_
#define ROOFMARK_LIB_REPORT_LOOPS_TEXT_H_

#include <string>
#include <vector>

#include "lib/incore/loop_view.h"
#include "lib/report/report.h"

namespace roofmark {

// One line each: share, iterations for each entry, lanes, cycles, name.
std::string RenderLoopList(const incore::LoopsView& views);

// The loops one after the other, each with its sentences and its assembly. `region` is the path
// that they are of; its dependences as the counting engine followed them come first.
std::string RenderLoops(const ReportJob& job, const incore::LoopsView& views,
                        const std::string& region);

// What is known of a loop beside its code, and what it could reach: finished sentences.
std::vector<std::string> LoopSentences(const incore::LoopView& view, const incore::LoopsView& all);
// "triad.c:12: ...", a finished sentence.
std::string FindingSentence(const incore::Finding& finding);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LOOPS_TEXT_H_
