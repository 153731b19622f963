// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

// What lies beyond cannot be told apart in a drawing any more, and is not finite for long.
constexpr double kLeast = 1e-30, kMost = 1e30;

bool IsDrawable(double value) { return value >= kLeast && value <= kMost; }

// Of any number, infinite and none included.
double Drawable(double value) { return value >= kLeast ? std::min(value, kMost) : kLeast; }

double DecadeBelow(double value) { return std::pow(10, std::floor(std::log10(value))); }
// The next of 1, 2, 5 times a power of ten.
double RoundUp(double value) {
  const double decade = DecadeBelow(value);
  for (double step : {1.0, 2.0, 5.0}) {
    if (value <= step * decade) return step * decade;
  }
  return 10 * decade;
}

// The steepest slope decides where a horizontal roof begins.
double FastestBandwidth(const JobRoofs& roofs) {
  double fastest = 0;
  for (const auto& roof : roofs.bandwidth) fastest = std::max(fastest, roof ? roof->value : 0);
  return fastest;
}

// Highest horizontal roof of the chart: the slopes end there.
double Top(const JobRoofs& roofs, const std::vector<Precision>& used) {
  double top = 0;
  for (Precision precision : used) {
    const auto& peak = roofs.compute[static_cast<size_t>(precision)].peak;
    if (peak) top = std::max(top, peak->value);
  }
  return top;
}

void SetRanges(Chart& chart, const JobRoofs* roofs, double top, const std::vector<Rung>& ladder,
               bool every_slope) {
  double x_low = 0.1, x_high = 10, y_low = 1e300, y_high = 0;
  for (const ChartDot& dot : chart.dots) {
    x_low = std::min(x_low, dot.x / 1.05);
    x_high = std::max(x_high, dot.x * 1.3);
    y_low = std::min(y_low, dot.y / 1.05);
    y_high = std::max(y_high, dot.y * 1.2);
  }
  for (const ChartWall& wall : chart.walls) {
    x_low = std::min(x_low, wall.x / 1.05);
    x_high = std::max(x_high, wall.x * 1.3);
  }
  for (const Rung& rung : ladder) {
    if (!rung.memory) y_low = std::min(y_low, rung.value / 1.5);
  }
  double slowest = 0;
  if (roofs != nullptr) {
    y_high = std::max(y_high, top * 1.6);  // room for its name
    for (const auto& roof : roofs->bandwidth) {
      if (roof) slowest = slowest == 0 ? roof->value : std::min(slowest, roof->value);
    }
    // Where the steepest slope meets the roof, with room for its name.
    if (every_slope && top > 0 && slowest > 0) {
      x_low = std::min(x_low, 0.3 * top / FastestBandwidth(*roofs));
    }
    if (slowest > 0 && top > 0) x_high = std::max(x_high, 1.5 * top / slowest);
  }
  chart.x_min = DecadeBelow(Drawable(x_low));
  chart.x_max = RoundUp(Drawable(x_high));
  // The slowest slope should enter at the left edge, not from below it.
  if (slowest > 0) y_low = std::min(y_low, slowest * chart.x_min * 2);
  if (y_low > y_high) y_low = y_high / 100;
  chart.y_min = DecadeBelow(Drawable(y_low));
  chart.y_max = RoundUp(std::max(Drawable(y_high), 10 * chart.y_min));
}

void AddSlope(Chart& chart, const std::string& name, double bandwidth, double top, bool rung) {
  const double x0 = std::max(chart.x_min, chart.y_min / bandwidth);
  const double x1 = std::min(chart.x_max, (top > 0 ? top : chart.y_max) / bandwidth);
  if (x0 >= x1) return;
  chart.lines.push_back({fmt::format("{} {}", name, SiUnit(bandwidth * 1e9, "B/s")), true, x0,
                         bandwidth * x0, x1, bandwidth * x1, rung});
}

void AddSlopes(Chart& chart, const JobRoofs& roofs, double top) {
  for (MemoryLevel level : kAllLevels) {
    const auto& roof = roofs.bandwidth[static_cast<size_t>(level)];
    if (roof) AddSlope(chart, std::string(LevelName(level)), roof->value, top, false);
  }
}

void AddHorizontal(Chart& chart, const JobRoofs& roofs, double value, const std::string& name,
                   bool rung = false) {
  const double fastest = FastestBandwidth(roofs);
  const double x0 = fastest > 0 ? std::max(chart.x_min, value / fastest) : chart.x_min;
  if (x0 >= chart.x_max) return;
  chart.lines.push_back({fmt::format("{} {}", name, SiUnit(value * 1e9, "FLOP/s")), false, x0,
                         value, chart.x_max, value, rung});
}

}  // namespace

std::vector<double> Decades(double from, double to) {
  std::vector<double> decades;
  const auto last = static_cast<int>(std::floor(std::log10(to) + 0.004));
  for (auto power = static_cast<int>(std::lround(std::log10(from))); power <= last; ++power) {
    decades.push_back(std::pow(10, power));
  }
  return decades;
}

bool HasHollowDots(const Chart& chart) {
  return std::any_of(chart.dots.begin(), chart.dots.end(),
                     [](const ChartDot& dot) { return dot.is_found; });
}

double LineAt(const ChartLine& line, double x) {
  return line.memory ? line.y0 * (x / line.x0) : line.y0;
}

std::vector<ChartDot> ChartDots(const ReportJob& job, ChartKind kind) {
  std::vector<ChartDot> dots;
  std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<PathAnalysis> paths = job.analysis.paths;
  if (std::vector<Row> whole = WholeRows(job); !whole.empty()) {
    rows.push_back(std::move(whole.back()));
    paths.push_back(job.analysis.whole.back());
  }
  size_t color = 0;
  for (size_t p = 0; p < rows.size(); ++p) {
    const PathAnalysis& path = paths[p];
    if (!HasDot(path)) continue;
    const double share = path.time_share ? std::clamp(*path.time_share, 0.0, 1.0) : 0;
    const auto add = [&](const std::string& suffix, const Value& intensity) {
      if (!intensity || !IsDrawable(*intensity) || !IsDrawable(*path.gflops)) return;
      const std::string key = rows[p].key + suffix;
      const std::string label =
          suffix.empty() ? fmt::format("{} {}", key, ShortName(rows[p], 24, "…")) : key;
      dots.push_back(
          {key, rows[p].name, label, *intensity, *path.gflops, share, color, rows[p].is_found});
    };
    if (kind == ChartKind::kRoofline) add("", path.roof_intensity);
    if (kind == ChartKind::kCacheAware) add("", path.intensity[0]);
    for (size_t l = 0; kind == ChartKind::kHierarchical && l < kMemoryLevels; ++l) {
      add(fmt::format(".{}", LevelName(static_cast<MemoryLevel>(l))), path.intensity[l]);
    }
    ++color;
  }
  return dots;
}

Chart MakeChart(const JobRoofs* roofs, std::vector<ChartDot> dots,
                const std::vector<Precision>& used, const std::vector<Rung>& ladder,
                bool every_slope, std::vector<ChartWall> walls) {
  Chart chart = {};
  chart.dots = std::move(dots);
  chart.walls = std::move(walls);
  std::erase_if(chart.walls, [](const ChartWall& wall) { return !IsDrawable(wall.x); });
  const std::vector<Precision> precisions =
      used.empty() ? std::vector<Precision>{Precision::kDouble} : used;
  const double top = roofs != nullptr ? Top(*roofs, precisions) : 0;
  if (chart.dots.empty() && top == 0) return chart;
  SetRanges(chart, roofs, top, ladder, every_slope);
  if (roofs == nullptr) return chart;
  AddSlopes(chart, *roofs, top);
  const auto& dram = roofs->bandwidth[static_cast<size_t>(MemoryLevel::kDram)];
  for (ChartWall& wall : chart.walls) {
    wall.y1 = dram ? std::min(top, dram->value * wall.x) : top;
  }
  for (Precision precision : precisions) {
    const ComputeRoofs& compute = roofs->compute[static_cast<size_t>(precision)];
    const std::string name(PrecisionName(precision));
    if (compute.peak) AddHorizontal(chart, *roofs, compute.peak->value, name + " peak");
    if (compute.no_fma && compute.no_fma->value < 0.97 * compute.peak->value) {
      AddHorizontal(chart, *roofs, compute.no_fma->value, name + " no FMA");
    }
  }
  for (const Rung& rung : ladder) {
    if (!IsDrawable(rung.value)) continue;
    if (rung.memory) {
      AddSlope(chart, rung.name, rung.value, top, true);
    } else {
      AddHorizontal(chart, *roofs, rung.value, rung.name, true);
    }
  }
  return chart;
}

Chart MakeChart(const ReportJob& job, ChartKind kind) {
  const auto& paths = job.analysis.paths.empty() ? job.analysis.whole : job.analysis.paths;
  std::vector<Precision> used;
  for (size_t p = 0; p < kPrecisions; ++p) {
    const auto does = [p](const PathAnalysis& path) { return path.flops[p] && *path.flops[p] > 0; };
    if (std::any_of(paths.begin(), paths.end(), does)) {
      used.push_back(static_cast<Precision>(p));
    }
  }
  const bool plain = kind == ChartKind::kRoofline;
  Chart chart = MakeChart(job.analysis.roofs ? &*job.analysis.roofs : nullptr, ChartDots(job, kind),
                          used, plain ? RuntimeLadder(job) : std::vector<Rung>(), !plain,
                          plain ? IntensityWalls(job) : std::vector<ChartWall>());
  if (kind == ChartKind::kHierarchical) {
    chart.x_axis = "intensity at each level, FLOP / byte of that level's traffic";
  } else if (kind == ChartKind::kCacheAware) {
    chart.x_axis = "cache-aware intensity, FLOP / byte loaded and stored";
  }
  return chart;
}

}  // namespace roofmark
