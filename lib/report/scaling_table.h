// SPDX-License-Identifier: BSD-3-Clause
//
// How a code scales as a table, made once for the terminal, Markdown and the page: a row for each
// region and run.
#ifndef ROOFMARK_LIB_REPORT_SCALING_TABLE_H_
#define ROOFMARK_LIB_REPORT_SCALING_TABLE_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/scaling.h"
#include "lib/report/grid.h"

namespace roofmark {

struct ScalingFigure {
  std::string_view name, head, unit;
  std::optional<double> ScalingPoint::*value;
};
inline constexpr std::array<ScalingFigure, 7> kScalingFigures = {{
    {"time_s", "time", "s", &ScalingPoint::time_s},
    {"speedup", "speedup", "1", &ScalingPoint::speedup},
    {"efficiency", "efficiency", "1", &ScalingPoint::efficiency},
    {"computation", "computation", "1", &ScalingPoint::computation},
    {"communication", "MPI", "1", &ScalingPoint::communication},
    {"balance", "balance", "1", &ScalingPoint::balance},
    {"serial_share", "serial", "1", &ScalingPoint::serial},
}};

struct ScalingTable {
  Grid grid;                                  // region, ranks x threads, then the figures
  std::vector<const ScalingFigure*> figures;  // those of which any is known
};

// `repeat`: the name stands in every row.
ScalingTable TableOf(const Scaling& scaling, bool repeat);

// "4 x 2": ranks x threads.
std::string WorkersText(const ScaledRun& run);

inline constexpr std::string_view kScalingLegend =
    "computation x MPI x balance is the efficiency: how much less time the workers compute in all, "
    "what MPI leaves, and how evenly it lies on them, over the first run; serial: the share that "
    "did not get faster (Karp and Flatt)";

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SCALING_TABLE_H_
