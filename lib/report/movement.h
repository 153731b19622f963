// SPDX-License-Identifier: BSD-3-Clause
//
// How dots move in the roofline from one run to the next.
#ifndef ROOFMARK_LIB_REPORT_MOVEMENT_H_
#define ROOFMARK_LIB_REPORT_MOVEMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/report/chart.h"
#include "lib/report/comparison_report.h"

namespace roofmark {

struct MovePoint {
  double x, y;  // FLOP/byte, GFLOP/s
  const PathAnalysis* analysis;
};

// A region of the comparison with its dots, as far as it has them.
struct Move {
  size_t region = 0;  // of Comparison::regions
  std::optional<MovePoint> before, after;
  bool is_program = false;
};

// Regions with a dot in one of the runs, in their order.
std::vector<Move> MovesOf(const ComparedJobs& jobs);

// Indices of Comparison::regions: those whose time or speed changed beyond noise, then those whose
// time changed by more seconds.
std::vector<size_t> ByChange(const Comparison& comparison);

// Of more regions than kFewMoves, only so many have arrows; the others are specks.
inline constexpr size_t kFewMoves = 40, kMostMoves = 24;

// A dot for each region and run, and arrows between them, under the roofs of the second run.
// `keys`: of the regions; empty where they have no dot.
struct MovementChart {
  Chart chart;
  std::vector<std::string> keys;
};
MovementChart MakeMovementChart(const ComparedJobs& jobs);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_MOVEMENT_H_
