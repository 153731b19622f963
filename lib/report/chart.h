// SPDX-License-Identifier: BSD-3-Clause
//
// The roofline chart as geometry: what is drawn where, once for terminal and SVG. Both axes are
// logarithmic; coordinates here are data (FLOP/byte, GFLOP/s).
#ifndef ROOFMARK_LIB_REPORT_CHART_H_
#define ROOFMARK_LIB_REPORT_CHART_H_

#include <string>
#include <vector>

#include "lib/report/report.h"

namespace roofmark {

struct ChartLine {
  std::string label;    // "DRAM 36.2 GB/s"
  bool memory = false;  // a slope; otherwise a horizontal roof
  double x0, y0, x1, y1;
  bool rung = false;  // of the ladder below the roofs: drawn lightly, named where there is room
};

// An intensity that a region has with a part of its traffic: a vertical line up to the roof.
struct ChartWall {
  std::string label;  // "A compulsory only 0.500"
  double x;
  double y1 = 0;  // of the roof there
};

struct ChartDot {
  std::string key, name;
  std::string label;  // beside it, where there is room for words
  double x, y;
  double share;           // of the run's time, 0 if unknown
  size_t color = 0;       // regions' dots have one colour each
  bool is_found = false;  // of a loop or function that was found: a hollow dot
};

struct Chart {
  double x_min, x_max, y_min, y_max;  // minima are powers of ten
  std::vector<ChartLine> lines;
  std::vector<ChartDot> dots;
  std::vector<ChartWall> walls;
  std::string x_axis = "operational intensity, FLOP / byte of DRAM traffic";
};

// A ceiling below a roof, by what is done about it in the code.
struct Rung {
  std::string name;     // "DRAM random lines"
  bool memory = false;  // `value` in GB/s of traffic; otherwise in GFLOP/s
  double value = 0;
};

// The 2008 paper's ladders in double precision with all cores busy: dependent additions, +ILP,
// +SIMD, FMA; DRAM lines in random order ... non-temporal stores. What lies closer than 5 % to the
// roof or to another rung cannot be told apart in a drawing and is left out.
std::vector<Rung> MachineLadder(const Machine& machine);

// Runtime-oriented ceilings (figure A6 of the 2008 report) of the region that the run's first
// advice is about: those that cost it something.
std::vector<Rung> RuntimeLadder(const ReportJob& job);

// Intensity walls of the same region (section 5 of the 2008 report): with compulsory traffic only,
// then with the misses and fetches that lower it, where they do so visibly.
std::vector<ChartWall> IntensityWalls(const ReportJob& job);

std::vector<ChartDot> ChartDots(const ReportJob& job, ChartKind kind = ChartKind::kRoofline);
// Roofs of the precisions in `used`, double where none is. Empty (no lines, no dots) if there is
// nothing to draw. `every_slope`: the range of intensities is as wide as the steepest slope needs.
Chart MakeChart(const JobRoofs* roofs, std::vector<ChartDot> dots,
                const std::vector<Precision>& used, const std::vector<Rung>& ladder = {},
                bool every_slope = false, std::vector<ChartWall> walls = {});
Chart MakeChart(const ReportJob& job, ChartKind kind = ChartKind::kRoofline);
// A machine alone, all of its cores busy, with its ladder.
Chart MakeChart(const Machine& machine);

bool HasHollowDots(const Chart& chart);

// The powers of ten from `from`, which is one, to `to`.
std::vector<double> Decades(double from, double to);

// The y of a line at `x`, which must lie within it.
double LineAt(const ChartLine& line, double x);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CHART_H_
