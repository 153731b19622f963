// SPDX-License-Identifier: BSD-3-Clause
//
// How far a region's dot spreads over the ranks, from the distributions that the file keeps: from
// the 5th to the 95th percentile, and always to the dot itself, which has the sums. A file has no
// pairs of values, so each direction says what one measure does:
// up and down: the FLOPs of the rank at that percentile, times the number of ranks, over the time
// of the slowest rank, as the dot: no rank was faster than its share of the roof in its own time,
// and none took more than this;
// to the sides: FLOPs over DRAM bytes, both at the same percentile of the ranks: exact where
// ranks that do more FLOPs also move more bytes.
#ifndef ROOFMARK_LIB_REPORT_RANK_WHISKERS_H_
#define ROOFMARK_LIB_REPORT_RANK_WHISKERS_H_

#include "lib/report/chart.h"

namespace roofmark {

// No whisker where fewer than two ranks have values, or where it could not be seen.
Whisker RateOverRanks(const JobProfile& job, size_t path, const PathAnalysis& analysis);
Whisker IntensityOverRanks(const JobProfile& job, size_t path, const PathAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_RANK_WHISKERS_H_
