// SPDX-License-Identifier: BSD-3-Clause
//
// Files to keep and send: a picture with its legend, and a page with the whole table.
#include <fmt/format.h>

#include <algorithm>

#include "lib/report/counters.h"
#include "lib/report/cross_checks.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/svg_chart.h"

namespace roofmark {
namespace {

constexpr int kTitleHeight = 34, kRowHeight = 19;

struct LegendColumn {
  int x;                  // px, right edge of the numbers
  std::string_view name;  // of the derived value
};

// The picture's legend is the part of the table that speaks of the dots.
constexpr LegendColumn kLegend[] = {{430, "time_share"},     {510, "gflops"},
                                    {590, "intensity_dram"}, {680, "attainable_gflops"},
                                    {755, "efficiency"},     {820, "limit"}};

// Of a derived value that has a column.
size_t ColumnOf(std::string_view name) {
  const auto values = TableValues();
  const auto at = std::find_if(values.begin(), values.end(),
                               [name](const DerivedInfo& info) { return info.name == name; });
  return static_cast<size_t>(at - values.begin());
}

std::string LegendText(int x, int y, std::string_view css, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", css, x, y, XmlText(text));
}

std::string Legend(const std::vector<Row>& rows, int& height) {
  int y = 16;
  std::string out = LegendText(40, y, "tick", "region");
  for (const LegendColumn& column : kLegend) {
    out += LegendText(column.x, y, "tick end", HeadOf(ReportColumns()[ColumnOf(column.name)]));
  }
  size_t dot = 0;
  for (const Row& row : rows) {
    y += kRowHeight;
    const size_t indent = std::min<size_t>(row.depth, 8);
    const int x = 40 + 12 * static_cast<int>(indent);
    if (!row.key.empty()) {
      out += fmt::format("<circle {} cx=\"22\" cy=\"{}\" r=\"6\"/>\n",
                         DotLook(DotColor(dot++), row.is_found), y - 4);
    }
    const std::string key = row.key + " ";
    out += LegendText(x, y, "dot-name", key + ShortName(row, 40 - key.size() - indent, "…"));
    for (const LegendColumn& column : kLegend) {
      out += LegendText(column.x, y, "axis end", row.cells[ColumnOf(column.name)]);
    }
  }
  height = y + kRowHeight;
  return out;
}

std::string Title(const ReportJob& job) {
  return job.analysis.roofs ? fmt::format("{} on {}", job.name, job.analysis.roofs->machine)
                            : job.name;
}

std::string HtmlTable(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  if (columns.empty()) return {};
  std::string out = "<div class=\"wide\"><table>\n<tr><th></th><th class=\"name\">region</th>";
  for (const Column& column : columns) {
    out += fmt::format("<th title=\"{}\">{}</th>", XmlText(column.doc), XmlText(HeadOf(column)));
  }
  out += "</tr>\n";
  size_t dot = 0;
  for (const Row& row : rows) {
    const std::string mark = row.key.empty()
                                 ? ""
                                 : fmt::format("<span style=\"color:{}\">{}</span> {}",
                                               DotColor(dot++), row.is_found ? "○" : "●", row.key);
    out += fmt::format("<tr><td>{}</td><td class=\"name\" style=\"padding-left:{}em\">{}</td>",
                       mark, 0.6 + 1.2 * static_cast<double>(row.depth), XmlText(row.name));
    for (const std::string& cell : row.cells) out += "<td>" + XmlText(cell) + "</td>";
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string HtmlList(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = fmt::format("<h3>{}</h3>\n<ul>\n", title);
  for (const std::string& line : lines) out += "<li>" + XmlText(line) + "</li>\n";
  return out + "</ul>\n";
}

std::string HtmlCharts(const ReportJob& job, const std::vector<ChartKind>& kinds) {
  std::string out;
  for (const ChartKind kind : kinds) {
    const bool plain = kind == ChartKind::kRoofline;
    // Where only DRAM is known the other charts show nothing else.
    const bool levels =
        std::any_of(job.analysis.paths.begin(), job.analysis.paths.end(),
                    [](const PathAnalysis& path) { return HasDot(path) && path.intensity[0]; });
    if (!plain && !levels) continue;
    if (!plain) {
      out += kind == ChartKind::kHierarchical ? "<h3>Hierarchical roofline</h3>\n"
                                              : "<h3>Cache-aware roofline</h3>\n";
    }
    out += fmt::format(
        "<div class=\"wide\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} "
        "{}\">{}</svg>"
        "</div>\n",
        kSvgChartWidth, kSvgChartHeight, SvgChart(MakeChart(job, kind)));
  }
  return out;
}

std::string HtmlFound(const RunInfo& run) {
  const std::string_view fact = FoundFact(run);
  return fact.empty() ? std::string() : fmt::format("<p>{}</p>\n", XmlText(fact));
}

std::string HtmlFirst(const ReportJob& job) {
  constexpr size_t kMostFirst = 5;
  const std::vector<std::string> lines = FirstThings(job, kMostFirst);
  std::string out;
  for (const std::string& line : lines) out += "<li>" + XmlText(line) + "</li>\n";
  if (!out.empty()) {
    std::string title = FirstTitle(job);
    title[0] = 'D';
    out = fmt::format("<h3>{}</h3>\n<ol>\n{}</ol>\n", title, out);
  }
  return HtmlList("Health", HealthThings(job)) + out;
}

std::string HtmlStandings(const ReportJob& job) {
  std::string out;
  for (const Standing& standing : Standings(job, Detail::kAll)) {
    out += HtmlList(XmlText(standing.region).c_str(), standing.lines);
  }
  return out;
}

std::string Picture(int height, const std::string& style, const std::string& body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n<style>{2}</style>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n{3}</svg>\n",
      kSvgChartWidth, height, style, body);
}

constexpr std::string_view kPageStyle =
    "body{font-family:system-ui,'Segoe UI',Roboto,sans-serif;max-width:1000px;margin:2em auto;"
    "padding:0 1em;color:#222}h2{font-size:1.25em}h3{font-size:1em;margin-bottom:.2em}"
    "table{border-collapse:collapse;white-space:nowrap;font-size:.9em;font-variant-numeric:tabular-"
    "nums}"
    "th,td{padding:.25em .6em;text-align:right;border-bottom:1px solid #e5e8eb}"
    "th{color:#555;font-weight:600}.name{text-align:left}"
    // Long names take several lines, so that the numbers beside them are seen.
    "td.name{white-space:normal;overflow-wrap:anywhere;min-width:15em}ul{margin-top:.2em;color:#"
    "444}"
    // On a phone charts and tables scroll: shrunk, their letters could not be read.
    ".wide{overflow-x:auto}svg{width:100%;min-width:620px;height:auto}li{overflow-wrap:anywhere}";

}  // namespace

std::string RenderSvg(const std::vector<ReportJob>& jobs, ChartKind kind) {
  std::string body;
  int y = 0;
  for (const ReportJob& job : jobs) {
    int legend_height = 0;
    const std::string legend = Legend(TableRows(job), legend_height);
    body += fmt::format("<g transform=\"translate(0 {})\">", y);
    body += LegendText(20, 24, "dot-name", Shorten(Title(job), 110, "…"));
    body += fmt::format("<g transform=\"translate(0 {})\">{}</g>", kTitleHeight,
                        SvgChart(MakeChart(job, kind)));
    body += fmt::format("<g transform=\"translate(0 {})\">{}</g></g>\n",
                        kTitleHeight + kSvgChartHeight, legend);
    y += kTitleHeight + kSvgChartHeight + legend_height;
  }
  return Picture(y, fmt::format("{}{}", ChartStyle(), LadderStyle()), body);
}

std::string RenderMachineSvg(const Machine& machine) {
  const std::string title =
      fmt::format("{}, {} core{}, {} measurement of {}", machine.cpu_model, machine.cores,
                  machine.cores == 1 ? "" : "s", machine.effort, machine.measured_at);
  const std::string body = LegendText(20, 24, "dot-name", Shorten(title, 110, "…")) +
                           fmt::format("<g transform=\"translate(0 {})\">{}</g>\n", kTitleHeight,
                                       SvgChart(MakeChart(machine)));
  return Picture(kTitleHeight + kSvgChartHeight, fmt::format("{}{}", ChartStyle(), LadderStyle()),
                 body);
}

namespace {

std::string HtmlCounters(std::string_view title, const CounterTable& table) {
  if (table.columns.empty()) return {};
  std::string out = fmt::format("<h3>{}</h3>\n", title) + HtmlTable(table.columns, table.rows);
  for (const std::string& line : table.legend) out += "<div>" + XmlText(line) + "</div>\n";
  return out;
}

}  // namespace

std::string RenderHtml(const std::vector<ReportJob>& jobs) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>roofmark: {}</title>\n<style>{}{}</style></head><body>\n",
      XmlText(jobs.empty() ? "" : jobs[0].name), kPageStyle,
      fmt::format("{}{}", ChartStyle(), LadderStyle()));
  for (const ReportJob& job : jobs) {
    out += fmt::format("<h2>{}</h2>\n", XmlText(Title(job)));
    out += HtmlFound(job.profile.run) + HtmlFirst(job);
    out += HtmlCharts(job, {ChartKind::kRoofline});
    out += HtmlTable(ReportColumns(), TableRows(job));
    out += HtmlCounters("Counters", CountersBeside(job.profile, job.analysis));
    out += HtmlCounters("Cross-check: counting engine / hardware counters",
                        CrossChecks(job.profile, job.analysis));
    out += HtmlStandings(job);
    out += HtmlCharts(job, {ChartKind::kHierarchical, ChartKind::kCacheAware});
    out += HtmlList("Notes", Remarks(job.profile, job.analysis));
    out += HtmlList("Missing", MissingReasons(job.profile, job.analysis));
    out += HtmlList("Run", Provenance(job.profile, job.analysis));
  }
  return out + "</body></html>\n";
}

}  // namespace roofmark
