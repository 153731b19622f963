// SPDX-License-Identifier: BSD-3-Clause
//
// Comparisons as pictures and as a page: movement in the roofline, and the table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lib/report/comparison_report.h"
#include "lib/report/comparison_table.h"
#include "lib/report/format.h"
#include "lib/report/html_document.h"
#include "lib/report/movement.h"
#include "lib/report/page_assets.h"
#include "lib/report/picture.h"
#include "lib/report/still_page.h"
#include "lib/report/svg_chart.h"

namespace roofmark {
namespace {

using Shows = ComparisonColumn::Shows;

constexpr std::string_view kArrowText = "→";

std::string ComparisonTitle(const ComparedJobs& jobs) {
  const std::string title = fmt::format("{} {} {}", jobs.before.name, kArrowText, jobs.after.name);
  const auto& roofs = jobs.after.analysis.roofs;
  return roofs ? fmt::format("{} on {}", title, roofs->machine) : title;
}

// Of each region, the one of its second dot; empty where it has none.
std::vector<std::string> LooksOf(const Chart& chart, size_t regions) {
  std::vector<std::string> looks(regions);
  for (const ChartDot& dot : chart.dots) looks[dot.region] = DotLook(dot);
  return looks;
}

// "+0.2 % " has a space where others have a mark.
std::string WithoutSpace(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

struct ChangeColumn {
  Shows shows;
  Quantity quantity;
  double x;  // as PictureColumn
  bool in_narrow;
  std::string_view head;
};

constexpr ChangeColumn kChangeColumns[] = {
    {Shows::kValues, Quantity::kTime, 375, false, "time"},
    {Shows::kChange, Quantity::kTime, 455, true, "change"},
    {Shows::kChange, Quantity::kGflops, 530, false, "GFLOP/s"},
    {Shows::kChange, Quantity::kIntensity, 610, false, "FLOP/byte"},
    {Shows::kValues, Quantity::kEfficiency, 715, false, "efficiency"},
    {Shows::kLimit, Quantity::kTime, 848, true, "limit"},
};

// What the marks behind changes mean, as far as they are among `marks`.
std::string NoteOf(std::string_view marks) {
  std::vector<std::string> notes;
  for (const auto& [mark, meaning] : {std::pair{'*', "beyond noise"}, std::pair{'~', "not tested"},
                                      std::pair{'?', "noise is not known"}}) {
    if (marks.find(mark) != marks.npos) notes.push_back(fmt::format("{}: {}", mark, meaning));
  }
  return fmt::format("{}", fmt::join(notes, ", "));
}

PictureTable TableOf(const ComparedJobs& jobs, const MovementChart& movement) {
  const ComparisonTable all = TableOf(jobs.comparison, true, kArrowText);
  const std::vector<std::string> looks = LooksOf(movement.chart, all.regions.size());
  PictureTable table;
  table.roomy_px = kSvgChartWidth;  // pairs of values are long
  std::vector<size_t> shown;        // columns of `all`
  for (const ChangeColumn& column : kChangeColumns) {
    const auto at =
        std::find_if(all.columns.begin(), all.columns.end(), [&](const ComparisonColumn& one) {
          return one.shows == column.shows && one.quantity == column.quantity;
        });
    if (at == all.columns.end()) continue;
    shown.push_back(static_cast<size_t>(at - all.columns.begin()));
    table.columns.push_back(
        {column.x, column.in_narrow, std::string(column.head), column.shows == Shows::kLimit});
  }
  std::string marks;  // the last character of each change: "+10.3 %*", "x3.24*"
  for (const size_t i : MostImportant(all.regions.size(), ByChange(jobs.comparison))) {
    Row row = {movement.keys[i], all.grid.rows[i][0], 0, {}};
    for (const size_t c : shown) {
      row.cells.push_back(WithoutSpace(all.grid.rows[i][c]));
      if (all.columns[c].shows == Shows::kChange) marks += row.cells.back().back();
    }
    table.rows.push_back(std::move(row));
    table.looks.push_back(looks[i]);
  }
  table.more = all.regions.size() - table.rows.size();
  table.more_are = "that changed less";
  table.note = NoteOf(marks);
  return table;
}

SortKey KeyOf(const ComparisonColumn& column, const RegionChange& region) {
  const Change& change = region.Of(column.quantity);
  const Value& value = change.after ? change.after : change.before;
  switch (column.shows) {
    case Shows::kValues:
      return {value.number};
    case Shows::kChange:
      return {change.factor};
    case Shows::kName:
    case Shows::kLimit:
      break;
  }
  return {{}, region.limit_after.empty() ? region.limit_before : region.limit_after};
}

std::string DocOf(const ComparisonColumn& column) {
  switch (column.shows) {
    case Shows::kChange:
      return fmt::format("{}: second run over first",
                         kQuantityTable[static_cast<size_t>(column.quantity)].name);
    case Shows::kLimit:
      return "what limits the region";
    case Shows::kName:
    case Shows::kValues:
      break;
  }
  return "first run, then second run";
}

void AddTable(const ComparedJobs& jobs, const MovementChart& movement, StillSection& section) {
  const ComparisonTable table = TableOf(jobs.comparison, true, kArrowText);
  const std::vector<std::string> looks = LooksOf(movement.chart, table.regions.size());
  for (size_t c = 1; c < table.columns.size(); ++c) {
    const ComparisonColumn& column = table.columns[c];
    const bool decides = column.shows == Shows::kLimit || column.quantity == Quantity::kTime;
    section.columns.push_back({column.head, 0, DocOf(column), 0, !decides});
  }
  for (size_t i = 0; i < table.regions.size(); ++i) {
    const RegionChange& region = jobs.comparison.regions[i];
    StillRow row = {{movement.keys[i], table.grid.rows[i][0], 0, {}}, looks[i], region.path, i, {}};
    for (size_t c = 1; c < table.columns.size(); ++c) {
      row.row.cells.push_back(WithoutSpace(table.grid.rows[i][c]));
      row.sort.push_back(KeyOf(table.columns[c], region));
    }
    section.rows.push_back(std::move(row));
  }
  section.legend = LegendOf(jobs.comparison, table);
}

StillSection SectionOf(const ComparedJobs& jobs) {
  StillSection section;
  MovementChart movement = MakeMovementChart(jobs);
  movement.chart.reveals = true;
  section.title = ComparisonTitle(jobs);
  section.first = Conclusions(jobs);
  section.health = HtmlHealth(jobs.before, "First run") + HtmlHealth(jobs.after, "Second run");
  section.about = "Roofline with each region's dot in the first and in the second run";
  section.draw = [chart = movement.chart](double width) {
    return DrawChart(chart, ChartFrame(width));
  };
  AddTable(jobs, movement, section);
  return section;
}

}  // namespace

std::string RenderComparisonSvg(const std::vector<ComparedJobs>& all, const PictureStyle& style) {
  Picture picture(style);
  for (const ComparedJobs& jobs : all) {
    const MovementChart movement = MakeMovementChart(jobs);
    picture.Add(ComparisonTitle(jobs), DrawChart(movement.chart, picture.frame()),
                TableOf(jobs, movement));
  }
  return picture.Render(kRunsStyle.text);
}

std::string RenderComparisonHtml(const std::vector<ComparedJobs>& all) {
  std::vector<StillSection> sections;
  for (const ComparedJobs& jobs : all) sections.push_back(SectionOf(jobs));
  return RenderStillPage(sections);
}

}  // namespace roofmark
