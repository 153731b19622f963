// SPDX-License-Identifier: BSD-3-Clause
//
// The report as pictures: a chart of each run, and below it what the table says of its dots.
#include <fmt/format.h>

#include <algorithm>

#include "lib/report/chart_layout.h"
#include "lib/report/device_charts.h"
#include "lib/report/picture.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/svg_chart.h"

namespace roofmark {
namespace {

struct JobColumn {
  double x;  // as PictureColumn
  bool in_narrow;
  std::string_view name;  // of the derived value
};

// The part of the table that speaks of the dots.
// The last one has room for two limits, chain+DRAM; longer ones are shortened.
constexpr JobColumn kJobColumns[] = {
    {425, true, "time_share"},         {500, true, "gflops"},     {580, false, "intensity_dram"},
    {660, false, "attainable_gflops"}, {730, true, "efficiency"}, {830, true, "limit"}};

// Of a derived value that has a column.
size_t ColumnOf(std::string_view name) {
  const auto values = TableValues();
  const auto at = std::find_if(values.begin(), values.end(),
                               [name](const DerivedInfo& info) { return info.name == name; });
  return static_cast<size_t>(at - values.begin());
}

std::string Title(const ReportJob& job) {
  return job.analysis.roofs ? fmt::format("{} on {}", job.name, job.analysis.roofs->machine)
                            : job.name;
}

// The program is the last row.
size_t RowOf(const ChartDot& dot, size_t rows) { return dot.is_program ? rows - 1 : dot.region; }

// Those that are drawn, or the most important ones. What was asked for is not left out.
std::vector<size_t> ShownRows(const ReportJob& job, const std::vector<ChartDot>& dots,
                              const std::vector<Row>& rows) {
  std::vector<size_t> shown;
  if (!job.drawn) {
    for (const size_t i : ByShare(dots)) shown.push_back(RowOf(dots[i], rows.size()));
    const std::vector<size_t> chosen = MostImportant(rows.size(), shown);
    std::vector<size_t> order = TableOrder(job, rows);
    std::erase_if(order, [&chosen](size_t row) {
      return !std::binary_search(chosen.begin(), chosen.end(), row);
    });
    return order;
  }
  for (const size_t row : *job.drawn) {
    shown.push_back(row == job.profile.paths.size() ? rows.size() - 1 : row);
  }
  return shown;
}

PictureTable TableOf(const ReportJob& job) {
  const std::vector<ChartDot> dots = ChartDots(job);
  const std::vector<Row> all = TableRows(job);
  std::vector<std::string> look_of(all.size());
  for (const ChartDot& dot : dots) look_of[RowOf(dot, all.size())] = DotLook(dot);
  PictureTable table;
  for (const JobColumn& column : kJobColumns) {
    const Column& head = ReportColumns()[ColumnOf(column.name)];
    table.columns.push_back({column.x, column.in_narrow, head.head, column.name == "limit"});
  }
  const std::vector<size_t> shown = ShownRows(job, dots, all);
  for (const size_t i : shown) {
    Row row = all[i];
    if (job.drawn) row.depth = 0;
    row.cells.clear();
    for (const JobColumn& column : kJobColumns) {
      row.cells.push_back(all[i].cells[ColumnOf(column.name)]);
    }
    table.rows.push_back(std::move(row));
    table.looks.push_back(look_of[i]);
  }
  table.more = job.drawn ? 0 : all.size() - table.rows.size();
  return table;
}

}  // namespace

std::string RenderSvg(const std::vector<ReportJob>& jobs, ChartKind kind,
                      const PictureStyle& style) {
  Picture picture(style);
  for (const ReportJob& job : jobs) {
    Chart chart = MakeChart(job, kind);
    chart.lists_names = style.without_table;
    picture.Add(Title(job), DrawChart(chart, picture.frame()), TableOf(job));
    for (const DeviceChart& device : DeviceCharts(job, kind)) {
      Chart on_device = device.chart;
      on_device.lists_names = style.without_table;
      picture.Add(device.title, DrawChart(on_device, picture.frame()));
    }
  }
  return picture.Render();
}

std::string RenderMachineSvg(const Machine& machine) {
  Picture picture({});
  picture.Add(fmt::format("{}, {} core{}, {} measurement of {}", machine.cpu_model, machine.cores,
                          machine.cores == 1 ? "" : "s", machine.effort, machine.measured_at),
              DrawChart(MakeChart(machine), picture.frame()));
  return picture.Render();
}

}  // namespace roofmark
