// SPDX-License-Identifier: BSD-3-Clause
//
// Where the axes of a roofline begin and end.
#ifndef ROOFMARK_LIB_REPORT_CHART_RANGE_H_
#define ROOFMARK_LIB_REPORT_CHART_RANGE_H_

#include <vector>

#include "lib/report/chart.h"

namespace roofmark {

// Which dots the axes reach. The others lie far from those that take time, and would squeeze them:
// there is such a dot only where all would need more than three decades of GFLOP/s or four of
// FLOP/byte. It takes less than 1 % of the run and lies more than a decade beyond all that take
// more, or it lies more than two decades beyond all others. Where more than one dot in eight does,
// they are no exceptions, and the axes reach them.
std::vector<bool> InFocus(const std::vector<ChartDot>& dots);

// The steepest slope decides where a horizontal roof begins.
double FastestBandwidth(const JobRoofs& roofs);

// Sets the axes of the chart by its dots and walls, by the roofs that it will have (the highest is
// `top`), and says of each dot outside of them where it lies. `every_slope`: as in MakeChart().
void SetRanges(Chart& chart, const JobRoofs* roofs, double top, const std::vector<Rung>& ladder,
               bool every_slope, ChartExtent extent);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CHART_RANGE_H_
