// SPDX-License-Identifier: BSD-3-Clause
//
// Scaling as a picture and as a page: speedup and efficiency over ranks and threads.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lib/profile/region_name.h"
#include "lib/report/format.h"
#include "lib/report/html_document.h"
#include "lib/report/page_assets.h"
#include "lib/report/picture.h"
#include "lib/report/scaling_report.h"
#include "lib/report/scaling_table.h"
#include "lib/report/series_chart.h"
#include "lib/report/still_page.h"

namespace roofmark {
namespace {

// The program is the last, where it is known.
bool IsProgram(const Scaling& scaling, size_t region) {
  return region + 1 == scaling.regions.size() && scaling.regions[region].path == kProgramName;
}

// The program, then those that take most time in the largest run.
std::vector<size_t> ByTime(const Scaling& scaling) {
  std::vector<size_t> order(scaling.regions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto time_s = [&](size_t i) {
    return IsProgram(scaling, i) ? 1e300 : scaling.regions[i].points.back().time_s.value_or(0);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return time_s(a) > time_s(b); });
  return order;
}

// CSS classes of the regions' lines.
std::vector<std::string> LooksOf(const Scaling& scaling) {
  std::vector<std::string> looks(scaling.regions.size(), "faint");
  size_t coloured = 0;
  for (const size_t i : ByTime(scaling)) {
    if (IsProgram(scaling, i)) {
      looks[i] = "whole";
    } else if (coloured < kSeriesLooks) {
      looks[i] = fmt::format("s{}", coloured++);
    }
  }
  return looks;
}

SeriesChart ChartOf(const Scaling& scaling, std::optional<double> ScalingPoint::*value) {
  SeriesChart chart;
  chart.x_axis = "ranks x threads";
  for (const ScaledRun& run : scaling.runs) {
    chart.x.push_back(run.workers);
    chart.ticks.push_back(WorkersText(run));
  }
  const std::vector<std::string> looks = LooksOf(scaling);
  for (const size_t i : ByTime(scaling)) {
    const ScalingRegion& region = scaling.regions[i];
    Series line = {region.path, looks[i], i, {}};
    for (const ScalingPoint& point : region.points) line.values.push_back(point.*value);
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

SeriesChart SpeedupChart(const Scaling& scaling) {
  SeriesChart chart = ChartOf(scaling, &ScalingPoint::speedup);
  chart.title = fmt::format("speedup over {}{}", WorkersText(scaling.runs.front()),
                            scaling.kind == ScalingKind::kWeak ? ", of the grown work" : "");
  chart.logarithmic = true;
  const double fewest = scaling.runs.front().workers;
  for (const double workers : chart.x) chart.ideal.push_back(workers / fewest);
  return chart;
}

SeriesChart EfficiencyChart(const Scaling& scaling) {
  SeriesChart chart = ChartOf(scaling, &ScalingPoint::efficiency);
  chart.title = "efficiency";
  chart.percent = true;
  chart.ideal.assign(chart.x.size(), 1.0);
  return chart;
}

Drawing Draw(const Scaling& scaling, double width) {
  const Drawing first = DrawSeries(SpeedupChart(scaling), width);
  const Drawing second = DrawSeries(EfficiencyChart(scaling), width);
  return {fmt::format("{}<g transform=\"translate(0 {:.1f})\">{}</g>", first.group, first.height,
                      second.group),
          first.height + second.height};
}

std::string Title(const Scaling& scaling) {
  return fmt::format("{} scaling from {} to {} ranks x threads",
                     scaling.kind == ScalingKind::kStrong ? "strong" : "weak",
                     WorkersText(scaling.runs.front()), WorkersText(scaling.runs.back()));
}

// As HtmlTable() and pictures show it beside a name.
std::string DotOf(const std::string& look) { return look == "faint" ? "" : "spot " + look; }

struct ScalingColumn {
  std::string_view figure;
  double x;  // as PictureColumn
  bool in_narrow;
};
constexpr ScalingColumn kScalingColumns[] = {
    {"time_s", 400, false},      {"speedup", 480, true},        {"efficiency", 570, true},
    {"computation", 675, false}, {"communication", 755, false}, {"balance", 840, true}};

// Of the largest run.
PictureTable TableOf(const Scaling& scaling) {
  const ScalingTable all = TableOf(scaling, true);
  const std::vector<std::string> looks = LooksOf(scaling);
  PictureTable table;
  std::vector<size_t> shown;  // columns of `all`
  for (const ScalingColumn& column : kScalingColumns) {
    for (size_t f = 0; f < all.figures.size(); ++f) {
      if (all.figures[f]->name != column.figure) continue;
      const std::string head(all.figures[f]->head);
      table.columns.push_back({column.x, column.in_narrow, head});
      shown.push_back(f + 2);
    }
  }
  for (const size_t i : MostImportant(scaling.regions.size(), ByTime(scaling))) {
    const std::vector<std::string>& cells = all.grid.rows[(i + 1) * scaling.runs.size() - 1];
    Row row = {"", cells[0], 0, {}};
    for (const size_t c : shown) row.cells.push_back(cells[c]);
    table.rows.push_back(std::move(row));
    table.looks.push_back(DotOf(looks[i]));
  }
  table.more = scaling.regions.size() - table.rows.size();
  return table;
}

void AddTable(const Scaling& scaling, StillSection& section) {
  const ScalingTable table = TableOf(scaling, true);
  const std::vector<std::string> looks = LooksOf(scaling);
  for (size_t c = 1; c < table.grid.head.size(); ++c) {
    constexpr std::string_view kDecide[] = {"time_s", "speedup", "efficiency"};
    const bool decides = c == 1 || std::find(std::begin(kDecide), std::end(kDecide),
                                             table.figures[c - 2]->name) != std::end(kDecide);
    section.columns.push_back({table.grid.head[c], 0, "", 0, !decides});
  }
  for (size_t i = 0; i < table.grid.rows.size(); ++i) {
    const size_t region = i / scaling.runs.size(), run = i % scaling.runs.size();
    const std::vector<std::string>& cells = table.grid.rows[i];
    StillRow row = {{"", cells[0], 0, {cells.begin() + 1, cells.end()}},
                    DotOf(looks[region]),
                    scaling.regions[region].path,
                    region,
                    {{scaling.runs[run].workers}}};
    for (const ScalingFigure* figure : table.figures) {
      const std::optional<double>& value = scaling.regions[region].points[run].*figure->value;
      row.sort.push_back({value});
    }
    section.rows.push_back(std::move(row));
  }
}

}  // namespace

std::string RenderScalingSvg(const Scaling& scaling, const PictureStyle& style) {
  Picture picture(style);
  picture.Add(Title(scaling), Draw(scaling, picture.frame().width), TableOf(scaling));
  return picture.Render(kRunsStyle.text);
}

std::string RenderScalingHtml(const Scaling& scaling, const std::deque<ReportJob>& jobs) {
  StillSection section;
  section.title = Title(scaling);
  section.first = Losses(scaling);
  section.first.insert(section.first.begin(), KindSentence(scaling));
  for (const ScaledRun& run : scaling.runs) {
    const ReportJob& job = jobs[run.file];
    section.health += HtmlHealth(job, WorkersText(run));
    section.legend.push_back(fmt::format("{}: {} ranks x threads", job.name, WorkersText(run)));
  }
  section.about = "Speedup and efficiency of each region over ranks and threads";
  section.draw = [&scaling](double width) { return Draw(scaling, width); };
  AddTable(scaling, section);
  section.legend.emplace_back(kScalingLegend);
  return RenderStillPage({section});
}

}  // namespace roofmark
