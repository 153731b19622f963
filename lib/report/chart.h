// SPDX-License-Identifier: BSD-3-Clause
//
// The roofline chart as geometry: what is drawn where, once for terminal and SVG. Both axes are
// logarithmic; coordinates here are data (FLOP/byte, GFLOP/s).
#ifndef ROOFMARK_LIB_REPORT_CHART_H_
#define ROOFMARK_LIB_REPORT_CHART_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/report/limit_color.h"
#include "lib/report/plot_frame.h"
#include "lib/report/report.h"

namespace roofmark {

struct ChartLine {
  std::string label;    // "DRAM 36.2 GB/s"
  bool memory = false;  // a slope; otherwise a horizontal roof
  double x0, y0, x1, y1;
  bool rung = false;      // of the ladder below the roofs: drawn lightly
  std::string name = {};  // "DRAM": where there is no room for the label
};

// An intensity that a region has with a part of its traffic: a vertical line up to the roof.
struct ChartWall {
  std::string label;  // "A: compulsory only 0.500"
  double x;
  double y1 = 0;     // of the roof there
  std::string name;  // "A: compulsory only": where there is no room for the label
};

// How much is to be made of a mark.
// kAside: one of too many, a speck without arrow and name.
enum class Weight : uint8_t { kStrong, kPlain, kPale, kAside };

// A region that one of two runs lacks.
enum class DotSign : uint8_t { kNone, kNew, kVanished };

// Of the ranks, from the 5th to the 95th percentile.
struct Whisker {
  double low = 0, high = 0;  // 0: there is none
};

struct ChartDot {
  std::string key, name;
  std::string label;  // beside it, where there is room for words
  // Of its region, key and name: for the legend of pictures without a table. Empty: none.
  std::string listed = {};
  double x, y;
  double share;             // of the run's time, 0 if unknown
  size_t region = 0;        // index of its row; the program's is behind the regions'
  bool is_found = false;    // of a loop or function that was found: a hollow dot
  bool is_program = false;  // of the program as a whole: a ring
  LimitColor limit = LimitColor::kOther;
  Whisker over_x = {}, over_y = {};
  Whisker within_x = {};  // of an intensity whose traffic was extrapolated: its interval
  // Where a chart holds two runs against each other.
  Weight weight = Weight::kPlain;
  DotSign sign = DotSign::kNone;
  bool is_before = false;  // of the first run: a thin ring
  double growth_px = 15;   // how much larger it is if it takes all of the time
  // Outside of the axes: where it lies, "0.0007 GFLOP/s"; a mark at the edge stands for it.
  std::string beyond = {};
};

// Which dots the axes reach: those that matter (chart_range.h), or all.
enum class ChartExtent : uint8_t { kFocus, kWhole };

// The way of a dot from one run to the next: indices of Chart::dots.
struct ChartArrow {
  size_t from, to;
  Weight weight = Weight::kPlain;
};

// Where a slope meets the highest roof.
struct RidgePoint {
  std::string label;  // "ridge 4.40 FLOP/byte"; empty: only drawn
  std::string name;   // "ridge 4.40"
  double x, y;
};

struct Chart {
  double x_min, x_max, y_min, y_max;  // minima are powers of ten

  DataRange Range() const { return {x_min, x_max, y_min, y_max}; }
  std::vector<ChartLine> lines;
  std::vector<ChartDot> dots;
  std::vector<ChartArrow> arrows;
  bool compares = false;     // two runs: ChartDot::region is then an index of Comparison::regions
  bool lists_names = false;  // in the legend, where they have no room in the plot
  std::string aside;         // what the dots of weight kAside are, where there are any
  bool reveals = false;      // on a page, where what is aside is shown when it is chosen
  std::vector<ChartWall> walls;
  std::vector<RidgePoint> ridges;
  // What is attainable, from left to right; empty where levels have slopes of their own.
  std::vector<std::pair<double, double>> hull;
  std::string x_axis = "operational intensity, FLOP / byte of DRAM traffic";
  std::string x_axis_short = "FLOP / byte of DRAM traffic";
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
                bool every_slope = false, std::vector<ChartWall> walls = {},
                ChartExtent extent = ChartExtent::kFocus);
// The same with what is attainable below the roofs, and with the axis of this kind of chart.
Chart MakeChart(const JobRoofs& roofs, std::vector<ChartDot> dots,
                const std::vector<Precision>& used, ChartKind kind);
Chart MakeChart(const ReportJob& job, ChartKind kind = ChartKind::kRoofline,
                ChartExtent extent = ChartExtent::kFocus);
// The roofs of the job and what is attainable below them, with these dots alone.
Chart ChartWith(const ReportJob& job, std::vector<ChartDot> dots);
// A machine alone, all of its cores busy, with its ladder.
Chart MakeChart(const Machine& machine);

// What a region's own ceilings look like in a chart of the job.
struct RegionLines {
  std::vector<ChartLine> rungs;
  std::vector<ChartWall> walls;
  std::vector<ChartLine> family;  // what is left where one in 2, 4, 8 ... cores works
};
// Those of the path's runtime-oriented ceilings that cost it something; `key` is its dot's.
std::vector<Rung> RuntimeLadder(const PathAnalysis& path, const std::string& key);
std::vector<ChartWall> IntensityWalls(const PathAnalysis& path, const std::string& key);
// In the plain chart of the job.
RegionLines LinesOfRegion(const Chart& chart, const ReportJob& job, const PathAnalysis& path,
                          const std::string& key);

// The path of the run's first advice that is about a dot; its ceilings are drawn first.
std::optional<size_t> FirstPath(const ReportJob& job);

bool HasHollowDots(const Chart& chart);

// What lies beyond cannot be told apart in a drawing any more, and is not finite for long.
bool IsDrawable(double value);

// The powers of ten from `from`, which is one, to `to`.
std::vector<double> Decades(double from, double to);

// The y of a line at `x`, which must lie within it.
double LineAt(const ChartLine& line, double x);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CHART_H_
