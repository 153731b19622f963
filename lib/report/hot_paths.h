// SPDX-License-Identifier: BSD-3-Clause
//
// Which regions a report shows, and in which order: those that take the time.
#ifndef ROOFMARK_LIB_REPORT_HOT_PATHS_H_
#define ROOFMARK_LIB_REPORT_HOT_PATHS_H_

#include <cstddef>
#include <vector>

#include "lib/report/report.h"

namespace roofmark {

struct HotPaths {
  std::vector<size_t> order;  // indices of the profile's paths, in the order of time_order.h
  size_t left_out = 0;        // paths
  double left_share = 0;      // of all regions' time
};

// Detail::kShort, of more than 20 regions: those of which the own time, without regions inside
// them, makes up 95 % of all, and the regions around them; 25 at most, and of more than ten none
// below 1 % of the run. All where no time is known.
HotPaths HotPathsOf(const ReportJob& job, Detail detail);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_HOT_PATHS_H_
