// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/chart_range.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/rank_whiskers.h"
#include "lib/report/rows.h"
#include "lib/report/words.h"

namespace roofmark {
namespace {

// Dots of many regions are smaller, so that they are told apart.
constexpr size_t kFewRegions = 12;
constexpr double kCrowdGrowthPx = 9;

// Highest horizontal roof of the chart: the slopes end there.
double Top(const JobRoofs& roofs, const std::vector<Precision>& used) {
  double top = 0;
  for (Precision precision : used) {
    const ComputeRoofs& compute = roofs.compute[static_cast<size_t>(precision)];
    if (compute.peak) top = std::max(top, compute.peak->value);
    if (compute.tensor) top = std::max(top, compute.tensor->value);
  }
  return top;
}

void AddSlope(Chart& chart, const std::string& name, double bandwidth, double top, bool rung) {
  const double x0 = std::max(chart.x_min, chart.y_min / bandwidth);
  const double x1 = std::min(chart.x_max, (top > 0 ? top : chart.y_max) / bandwidth);
  if (x0 >= x1) return;
  chart.lines.push_back({fmt::format("{} {}", name, SiUnit(bandwidth * 1e9, "B/s")), true, x0,
                         bandwidth * x0, x1, bandwidth * x1, rung, name});
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
                         value, chart.x_max, value, rung, name});
}

}  // namespace

bool IsDrawable(double value) { return value >= 1e-30 && value <= 1e30; }

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

bool ReportJob::Draws(size_t row) const {
  return !drawn || std::find(drawn->begin(), drawn->end(), row) != drawn->end();
}

namespace {

// Those that the job draws, in that order.
std::vector<ChartDot> OnlyDrawn(const ReportJob& job, const std::vector<ChartDot>& dots) {
  std::vector<ChartDot> drawn;
  for (const size_t row : *job.drawn) {
    std::copy_if(dots.begin(), dots.end(), std::back_inserter(drawn),
                 [row](const ChartDot& dot) { return dot.region == row; });
  }
  return drawn;
}

}  // namespace

std::vector<ChartDot> ChartDots(const ReportJob& job, ChartKind kind) {
  std::vector<ChartDot> dots;
  std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<PathAnalysis> paths = job.analysis.paths;
  const size_t regions = rows.size();
  const size_t shown = job.drawn ? job.drawn->size() : regions;
  const double growth = shown > kFewRegions ? kCrowdGrowthPx : ChartDot().growth_px;
  if (std::vector<Row> whole = WholeRows(job); !whole.empty()) {
    rows.push_back(std::move(whole.back()));
    paths.push_back(job.analysis.whole.back());
  }
  for (size_t p = 0; p < rows.size(); ++p) {
    const PathAnalysis& path = paths[p];
    if (!HasDot(path)) continue;
    ChartDot dot = {};
    dot.region = p;
    dot.growth_px = growth;
    dot.is_found = rows[p].is_found;
    dot.is_program = p >= regions;
    dot.limit = LimitColorOf(path.limit);
    dot.y = *path.gflops;
    dot.share = path.time_share ? std::clamp(*path.time_share, 0.0, 1.0) : 0;
    if (!dot.is_program) dot.over_y = RateOverRanks(job.profile, p, path);
    const auto add = [&](const std::string& suffix, const Value& intensity) {
      if (!intensity || !IsDrawable(*intensity) || !IsDrawable(*path.gflops)) return;
      dot.key = rows[p].key + suffix;
      dot.name = rows[p].name;
      dot.listed = fmt::format("{} {}", rows[p].key, ShortName(rows[p], 24, "…"));
      dot.label = suffix.empty() ? dot.listed : dot.key;
      dot.x = *intensity;
      dot.within_x = {};
      if (intensity.within && !std::isinf(intensity.within->most)) {
        dot.within_x = {intensity.within->least, intensity.within->most};
      }
      dots.push_back(dot);
    };
    if (kind == ChartKind::kRoofline) {
      if (!dot.is_program) dot.over_x = IntensityOverRanks(job.profile, p, path);
      add("", path.roof_intensity);
      dot.over_x = {};
    }
    if (kind == ChartKind::kCacheAware) add("", path.intensity[0]);
    for (size_t l = 0; kind == ChartKind::kHierarchical && l < kMemoryLevels; ++l) {
      add(fmt::format(".{}", LevelName(static_cast<MemoryLevel>(l))), path.intensity[l]);
    }
  }
  return job.drawn ? OnlyDrawn(job, dots) : dots;
}

namespace {

// Where slopes meet the highest roof; `named` is the one whose ridge people look for.
void AddRidges(Chart& chart, const JobRoofs& roofs, double top, MemoryLevel named) {
  for (MemoryLevel level : kAllLevels) {
    const auto& roof = roofs.bandwidth[static_cast<size_t>(level)];
    if (!roof || top <= 0) continue;
    const double x = top / roof->value;
    if (x <= chart.x_min || x >= chart.x_max) continue;
    RidgePoint ridge = {"", "", x, top};
    if (level == named) {
      ridge.name = fmt::format("ridge {}", Plain(x));
      ridge.label = ridge.name + " FLOP/byte";
    }
    chart.ridges.push_back(std::move(ridge));
  }
}

// Below one slope and the highest roof.
void AddHull(Chart& chart, double bandwidth, double top) {
  if (bandwidth <= 0 || top <= 0) return;
  const double begin = std::max(chart.x_min, chart.y_min / bandwidth);
  const double ridge = top / bandwidth;
  if (begin >= chart.x_max) return;
  if (begin < ridge) chart.hull.emplace_back(begin, bandwidth * begin);
  const double corner = std::clamp(ridge, begin, chart.x_max);
  chart.hull.emplace_back(corner, std::min(top, bandwidth * corner));
  if (corner < chart.x_max) chart.hull.emplace_back(chart.x_max, top);
}

// Of the regions that are drawn, or of the program where none is.
std::vector<const PathAnalysis*> DrawnPaths(const ReportJob& job) {
  std::vector<const PathAnalysis*> paths;
  for (size_t i = 0; i < job.analysis.paths.size(); ++i) {
    if (job.Draws(i)) paths.push_back(&job.analysis.paths[i]);
  }
  if (!paths.empty()) return paths;
  for (const PathAnalysis& path : job.analysis.whole) paths.push_back(&path);
  return paths;
}

std::vector<Precision> UsedPrecisions(const ReportJob& job) {
  const std::vector<const PathAnalysis*> paths = DrawnPaths(job);
  std::vector<Precision> used;
  for (size_t p = 0; p < kPrecisions; ++p) {
    const auto does = [p](const PathAnalysis* path) {
      return path->flops[p] && *path->flops[p] > 0;
    };
    if (std::any_of(paths.begin(), paths.end(), does)) {
      used.push_back(static_cast<Precision>(p));
    }
  }
  if (used.empty()) used.push_back(Precision::kDouble);
  return used;
}

void AddRungs(Chart& chart, const JobRoofs& roofs, double top, const std::vector<Rung>& ladder) {
  for (const Rung& rung : ladder) {
    if (!IsDrawable(rung.value)) continue;
    if (rung.memory) {
      AddSlope(chart, rung.name, rung.value, top, true);
    } else {
      AddHorizontal(chart, roofs, rung.value, rung.name, true);
    }
  }
}

// F / 2^k and B at fewer cores (figures A2 and A3 of the 2008 report).
std::vector<Rung> ImbalanceFamily(const PathAnalysis& path) {
  std::vector<Rung> family;
  for (const Neighbour& neighbour : path.verdict.ceilings) {
    const Ceiling& ceiling = neighbour.ceiling;
    if (!IsOfFewCores(ceiling.id) || !ceiling.height.least) continue;
    family.push_back({CeilingName(ceiling), ceiling.IsMemory(), ceiling.height.most});
  }
  return family;
}

// What is attainable, and its corners.
void AddAttainable(Chart& chart, const JobRoofs& roofs, const std::vector<Precision>& used,
                   ChartKind kind) {
  if (chart.lines.empty()) return;
  const double top = Top(roofs, used);
  const auto& dram = roofs.bandwidth[static_cast<size_t>(MemoryLevel::kDram)];
  const bool loads = kind == ChartKind::kCacheAware;
  AddRidges(chart, roofs, top, loads ? MemoryLevel::kL1 : MemoryLevel::kDram);
  if (kind == ChartKind::kRoofline && dram) AddHull(chart, dram->value, top);
  if (loads) AddHull(chart, FastestBandwidth(roofs), top);
}

void NameAxis(ChartKind kind, Chart& chart) {
  if (kind == ChartKind::kHierarchical) {
    chart.x_axis = "intensity at each level, FLOP / byte of that level's traffic";
    chart.x_axis_short = "FLOP / byte of each level's traffic";
  } else if (kind == ChartKind::kCacheAware) {
    chart.x_axis = "cache-aware intensity, FLOP / byte loaded and stored";
    chart.x_axis_short = "FLOP / byte loaded and stored";
  }
}

void RaiseWalls(std::vector<ChartWall>& walls, const JobRoofs& roofs, double top) {
  const auto& dram = roofs.bandwidth[static_cast<size_t>(MemoryLevel::kDram)];
  for (ChartWall& wall : walls) wall.y1 = dram ? std::min(top, dram->value * wall.x) : top;
}

}  // namespace

Chart MakeChart(const JobRoofs* roofs, std::vector<ChartDot> dots,
                const std::vector<Precision>& used, const std::vector<Rung>& ladder,
                bool every_slope, std::vector<ChartWall> walls, ChartExtent extent) {
  Chart chart = {};
  chart.dots = std::move(dots);
  chart.walls = std::move(walls);
  std::erase_if(chart.walls, [](const ChartWall& wall) { return !IsDrawable(wall.x); });
  const std::vector<Precision> precisions =
      used.empty() ? std::vector<Precision>{Precision::kDouble} : used;
  const double top = roofs != nullptr ? Top(*roofs, precisions) : 0;
  if (chart.dots.empty() && top == 0) return chart;
  SetRanges(chart, roofs, top, ladder, every_slope, extent);
  if (roofs == nullptr) return chart;
  AddSlopes(chart, *roofs, top);
  RaiseWalls(chart.walls, *roofs, top);
  for (Precision precision : precisions) {
    const ComputeRoofs& compute = roofs->compute[static_cast<size_t>(precision)];
    const std::string name(PrecisionName(precision));
    if (compute.peak) AddHorizontal(chart, *roofs, compute.peak->value, name + " peak");
    if (compute.no_fma && compute.no_fma->value < 0.97 * compute.peak->value) {
      AddHorizontal(chart, *roofs, compute.no_fma->value, name + " no FMA");
    }
    if (compute.tensor) {
      AddHorizontal(chart, *roofs, compute.tensor->value, name + " tensor cores");
    }
  }
  AddRungs(chart, *roofs, top, ladder);
  return chart;
}

Chart MakeChart(const JobRoofs& roofs, std::vector<ChartDot> dots,
                const std::vector<Precision>& used, ChartKind kind) {
  Chart chart = MakeChart(&roofs, std::move(dots), used, {}, kind != ChartKind::kRoofline);
  NameAxis(kind, chart);
  AddAttainable(chart, roofs, used, kind);
  return chart;
}

Chart MakeChart(const ReportJob& job, ChartKind kind, ChartExtent extent) {
  const std::vector<Precision> used = UsedPrecisions(job);
  const bool plain = kind == ChartKind::kRoofline;
  Chart chart = MakeChart(job.analysis.roofs ? &*job.analysis.roofs : nullptr, ChartDots(job, kind),
                          used, plain ? RuntimeLadder(job) : std::vector<Rung>(), !plain,
                          plain ? IntensityWalls(job) : std::vector<ChartWall>(), extent);
  NameAxis(kind, chart);
  if (job.analysis.roofs) AddAttainable(chart, *job.analysis.roofs, used, kind);
  return chart;
}

Chart ChartWith(const ReportJob& job, std::vector<ChartDot> dots) {
  const std::vector<Precision> used = UsedPrecisions(job);
  if (!job.analysis.roofs) return MakeChart(nullptr, std::move(dots), used);
  return MakeChart(*job.analysis.roofs, std::move(dots), used, ChartKind::kRoofline);
}

RegionLines LinesOfRegion(const Chart& chart, const ReportJob& job, const PathAnalysis& path,
                          const std::string& key) {
  RegionLines out;
  if (!job.analysis.roofs || chart.lines.empty()) return out;
  const JobRoofs& roofs = *job.analysis.roofs;
  const double top = Top(roofs, UsedPrecisions(job));
  Chart own = {};
  own.x_min = chart.x_min;
  own.x_max = chart.x_max;
  own.y_min = chart.y_min;
  own.y_max = chart.y_max;
  AddRungs(own, roofs, top, RuntimeLadder(path, key));
  out.rungs = std::move(own.lines);
  own.lines.clear();
  AddRungs(own, roofs, top, ImbalanceFamily(path));
  out.family = std::move(own.lines);
  out.walls = IntensityWalls(path, key);
  std::erase_if(out.walls, [](const ChartWall& wall) { return !IsDrawable(wall.x); });
  RaiseWalls(out.walls, roofs, top);
  return out;
}

}  // namespace roofmark
