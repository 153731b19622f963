// SPDX-License-Identifier: BSD-3-Clause
//
// What makes a run's figures doubtful, in few lines before anything else: what voids times with its
// cure, the rest by one line each. The full sentences are health_words.h's.
#ifndef ROOFMARK_LIB_REPORT_CAUTION_H_
#define ROOFMARK_LIB_REPORT_CAUTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/model/health.h"
#include "lib/report/report.h"

namespace roofmark {

// "page faults take up to 61.9 ms (18 % of the run)". Empty of what the list of what to do first
// says.
std::string CautionLine(const HealthIssue& issue, const ReportJob& job);

// Of a run of which nothing is doubtful.
inline constexpr std::string_view kNoDoubt = "Nothing is known that makes these figures doubtful.";

// At most three doubts, in a line each; kNoDoubt where there is none, and nothing where there are
// no regions. `color`: with tones.
std::string CautionText(const ReportJob& job, size_t width, bool color = false);

// The sentences of what CautionText() shortens or leaves out.
std::vector<std::string> HealthBelow(const ReportJob& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CAUTION_H_
