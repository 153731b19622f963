// SPDX-License-Identifier: BSD-3-Clause
//
// What is said of hot loops, once for the terminal, the page and the JSON of the analysis. Names of
// files and functions in it are as the roofline file has them: whoever shows them makes them
// printable.
#ifndef ROOFMARK_LIB_REPORT_LOOP_WORDS_H_
#define ROOFMARK_LIB_REPORT_LOOP_WORDS_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/incore/loop_view.h"
#include "lib/report/report.h"

namespace roofmark {

// Of a file, or a run, that has none: "FILE ...".
inline constexpr std::string_view kNoHotLoops =
    "has no hot loops: record with `roofmark run --auto`, or with `roofmark run --loops` where the "
    "code has markers";

// "triad.c:12": of the file without its folder.
std::string PlaceText(const std::string& file, uint32_t line);

// Of what shares are: "time", or "instructions" where there were no samples.
std::string_view SharesOf(const incore::LoopsView& all);

// "triad.c:12 in triad()"; of code in no loop its function, and where it begins.
std::string LoopTitle(const incore::LoopView& view);
// What of the run it is in `region` and those inside it; empty: in all of the run.
std::string LoopShareSentence(const incore::LoopView& view, const incore::LoopsView& all,
                              std::string_view region);
// What is known of a loop beside its code, and what it could reach: finished sentences.
std::vector<std::string> LoopSentences(const incore::LoopView& view, const incore::LoopsView& all);
// "triad.c:12: ...", a finished sentence.
std::string FindingSentence(const incore::Finding& finding);

// One instruction as cells. Share and executions are those of a block, in its first row; a line
// stands where it changes, with a star if it is one of another file than the loop.
struct CodeRow {
  std::string share, times, line, text;
};
std::array<std::string_view, 4> CodeHeads(const incore::LoopsView& all);
std::vector<CodeRow> CodeRows(const incore::LoopView& view);
// What a reader of these rows must know: that code is missing, which files the stars are of.
std::vector<std::string> CodeNotes(const incore::LoopView& view);

// What the counting engine says of a whole region, an index into the profile's; empty if nothing.
std::string DependenceSentence(const ReportJob& job, size_t path);
// Why instructions or bounds are not shown, for all loops together.
std::vector<std::string> LoopRemarks(const incore::LoopsView& views);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LOOP_WORDS_H_
