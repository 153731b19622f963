// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/scaling_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/report/format.h"

namespace roofmark {
namespace {

std::string CellText(const ScalingFigure& figure, const ScalingPoint& point) {
  const std::optional<double>& value = point.*figure.value;
  if (!value) return "-";
  if (figure.name == "time_s") return Seconds(*value);
  if (figure.name == "speedup") return fmt::format("{:.2f}", *value);
  return fmt::format("{:.1f} %", *value * 100);
}

}  // namespace

std::string WorkersText(const ScaledRun& run) {
  return fmt::format("{} x {}", run.ranks, run.threads);
}

ScalingTable TableOf(const Scaling& scaling, bool repeat) {
  ScalingTable table;
  Grid& grid = table.grid;
  grid.head = {"region", "ranks x threads"};
  for (const ScalingFigure& figure : kScalingFigures) {
    const auto known = [&](const ScalingPoint& point) { return (point.*figure.value).has_value(); };
    const auto has = [&](const ScalingRegion& region) {
      return std::any_of(region.points.begin(), region.points.end(), known);
    };
    if (std::any_of(scaling.regions.begin(), scaling.regions.end(), has)) {
      table.figures.push_back(&figure);
      grid.head.emplace_back(figure.head);
    }
  }
  for (const ScalingRegion& region : scaling.regions) {
    for (size_t r = 0; r < scaling.runs.size(); ++r) {
      std::vector<std::string> row = {r == 0 || repeat ? Printable(region.path) : "",
                                      WorkersText(scaling.runs[r])};
      for (const ScalingFigure* figure : table.figures) {
        row.push_back(CellText(*figure, region.points[r]));
      }
      grid.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace roofmark
