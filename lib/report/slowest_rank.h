// SPDX-License-Identifier: BSD-3-Clause
//
// Each row of a table has the time of its slowest rank, so that parts may take more than the whole.
#ifndef ROOFMARK_LIB_REPORT_SLOWEST_RANK_H_
#define ROOFMARK_LIB_REPORT_SLOWEST_RANK_H_

#include <string>

#include "lib/report/report.h"

namespace roofmark {

// Says so where it is seen: the regions in another one, or in the program, take more time than
// that, by a hundredth or more. Else empty.
std::string SlowestRankLine(const ReportJob& job);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SLOWEST_RANK_H_
