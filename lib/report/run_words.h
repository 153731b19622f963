// SPDX-License-Identifier: BSD-3-Clause
//
// What a roofline file says of its run: the program, where it ran, how long, and how it was
// measured.
#ifndef ROOFMARK_LIB_REPORT_RUN_WORDS_H_
#define ROOFMARK_LIB_REPORT_RUN_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/report/report.h"

namespace roofmark {

// "stencil --n 160 --iterations 30   2 ranks x 1 thread on node1, AMD EPYC   574 ms": a line, or
// two where the second part needs one of its own. A command that is too long loses its end to
// `mark`.
struct RunHeader {
  std::string text;
  bool is_short = false;  // the command is not whole
};
RunHeader HeaderOf(const ReportJob& job, size_t width, std::string_view mark);

// What the header does not say: nodes, MPI, CPUs, passes, cost, roofs.
std::vector<std::string> FactsBelowHeader(const ReportJob& job, const RunHeader& header);

// All of it, for pages.
std::vector<std::string> Provenance(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_RUN_WORDS_H_
