// SPDX-License-Identifier: BSD-3-Clause
//
// What makes the figures of a run doubtful, as sentences with the cure. No full stops.
#ifndef ROOFMARK_LIB_REPORT_HEALTH_WORDS_H_
#define ROOFMARK_LIB_REPORT_HEALTH_WORDS_H_

#include <string>
#include <vector>

#include "lib/model/health.h"
#include "lib/report/report.h"

namespace roofmark {

// "4 threads share 2 CPUs on n1 ...: mpirun --map-by slot:PE=2".
std::string HealthSentence(const HealthIssue& issue, const ReportJob& job);

// All issues of the run, the most serious first.
std::vector<std::string> HealthThings(const ReportJob& job);

// One line for all of them: "Health: 3 doubts, the worst: threads share CPUs".
std::string HealthTitle(const std::vector<HealthIssue>& issues);

// The title of the advice: what health says comes first where times do not hold.
std::string FirstTitle(const ReportJob& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_HEALTH_WORDS_H_
