// SPDX-License-Identifier: BSD-3-Clause
//
// What a report says of the ranks behind a number, and of what recording cost them.
#ifndef ROOFMARK_LIB_REPORT_OVER_RANKS_H_
#define ROOFMARK_LIB_REPORT_OVER_RANKS_H_

#include <string>
#include <string_view>

#include "lib/model/value.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Median, 5th and 95th percentile of a path's time or FLOPs over the ranks, and who lies farthest
// out; empty where there are no two ranks or they hardly differ.
std::string SpreadSentence(const JobProfile& job, size_t path, Drawn drawn);

// Start-up, finalize and the markers, in one line; empty if the file does not say.
std::string CostSentence(const JobProfile& job);

// "time", "FLOPs", "DRAM bytes".
std::string_view DrawnName(Drawn drawn);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_OVER_RANKS_H_
