// SPDX-License-Identifier: BSD-3-Clause
//
// The page: all of it can be read without the script, which makes charts and tables answer.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "lib/report/caution.h"
#include "lib/report/cross_checks.h"
#include "lib/report/device_charts.h"
#include "lib/report/device_words.h"
#include "lib/report/devices.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/html_document.h"
#include "lib/report/html_table.h"
#include "lib/report/loops_text.h"
#include "lib/report/marks.h"
#include "lib/report/page_data.h"
#include "lib/report/run_words.h"
#include "lib/report/slowest_rank.h"
#include "lib/report/svg_chart.h"
#include "lib/report/time_order.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

// The file, and what it is held against.
std::string PageTitle(const ReportJob& job) {
  const std::string name = XmlText(job.name);
  if (!job.analysis.roofs) return name;
  return fmt::format("{} <small>on {}</small>", name, XmlText(job.analysis.roofs->machine));
}

std::string PictureOf(const Chart& chart) {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\">{}</svg>\n",
                     kSvgChartWidth, kSvgChartHeight, SvgChart(chart));
}

std::string OtherCharts(const ReportJob& job) {
  // Where only DRAM is known they show nothing else.
  const bool levels =
      std::any_of(job.analysis.paths.begin(), job.analysis.paths.end(),
                  [](const PathAnalysis& path) { return HasDot(path) && path.intensity[0]; });
  if (!levels) return {};
  return "<h3>Hierarchical roofline</h3>\n<div class=\"wide\">" +
         PictureOf(MakeChart(job, ChartKind::kHierarchical)) +
         "</div>\n<h3>Cache-aware roofline</h3>\n<div class=\"wide\">" +
         PictureOf(MakeChart(job, ChartKind::kCacheAware)) + "</div>\n";
}

std::string Found(const RunInfo& run) {
  const std::string_view fact = FoundFact(run);
  return fact.empty() ? std::string() : fmt::format("<p>{}</p>\n", XmlText(fact));
}

// What to do: the first is always seen, a second one where there is room.
std::string First(const ReportJob& job) {
  constexpr size_t kMostPageLines = 5;
  const std::vector<std::string> lines = FirstThings(job, kMostPageLines);
  if (lines.empty()) return {};
  const std::string title = FirstTitle(job);
  const std::span<const std::string> all(lines);
  std::string out = fmt::format("<div class=\"first\"><h3>{}</h3>\n<ol>\n{}</ol>\n", title,
                                HtmlItems(all.first(1)));
  if (lines.size() > 1) {
    const size_t second = std::min<size_t>(lines.size() - 1, 1);
    out += fmt::format(
        "<details class=\"foldable\" open><summary>{} more</summary>\n<ol start=\"2\">\n{}</ol>"
        "{}</details>\n",
        lines.size() - 1, HtmlItems(all.subspan(1, second)),
        HtmlRest("ol start=\"3\"", all.subspan(1 + second)));
  }
  const std::string order = FirstOrder(lines.size());
  if (!order.empty()) out += fmt::format("<div class=\"marks\">{}</div>\n", XmlText(order));
  return out + "</div>\n";
}

// What is doubtful, or that nothing is.
std::string Doubts(const ReportJob& job) {
  const std::string health = HtmlHealth(job);
  if (!health.empty() || job.profile.paths.empty()) return health;
  return fmt::format("<div class=\"sure\">{}</div>\n", kNoDoubt);
}

std::string Heads(const ReportJob& job) {
  const std::string heads = Doubts(job) + First(job);
  return heads.empty() ? heads : "<div class=\"heads\">\n" + heads + "</div>\n";
}

std::string StandingsHtml(const ReportJob& job) {
  std::string out;
  for (const Standing& standing : Standings(job, Detail::kAll)) {
    out += HtmlList(standing.region, standing.lines);
  }
  return out;
}

// Their list: the script shows their code.
std::string Loops(const ReportJob& job) {
  if (job.loops.loops.empty()) return {};
  std::string out = "<h3>Hot loops</h3>\n<pre>";
  std::istringstream lines(RenderLoopList(job.loops));
  for (std::string line; std::getline(lines, line);) out += XmlText(line) + "\n";
  return out + "</pre>\n";
}

// Of the table's rows.
std::vector<std::string> Looks(const ReportJob& job, size_t rows) {
  std::vector<std::string> looks(rows);
  for (const ChartDot& dot : ChartDots(job)) {
    looks[dot.is_program ? rows - 1 : dot.region] = DotLook(dot);
  }
  return looks;
}

// Their dots are in charts of their own: none stand beside the rows.
std::string DevicesHtml(const ReportJob& job) {
  constexpr size_t kMostOnDevices = 20;
  std::string out = HtmlList(kFirstOnDevicesTitle, FirstOnDevices(job, kMostOnDevices));
  for (const DeviceTable& device : DeviceTables(job, kAllDevices)) {
    out += device.table.columns.empty() ? HtmlList(device.title, device.table.legend)
                                        : HtmlCounters(XmlText(device.title), device.table, {});
  }
  for (const DeviceChart& device : DeviceCharts(job, ChartKind::kHierarchical)) {
    out += fmt::format("<h3>{}</h3>\n<div class=\"wide\">{}</div>\n", XmlText(device.title),
                       PictureOf(device.chart));
  }
  return out;
}

// The items that `order` names, in this order.
template <class Item>
void Arrange(const std::vector<size_t>& order, std::vector<Item>& items) {
  std::vector<Item> arranged;
  for (const size_t item : order) arranged.push_back(items[item]);
  items = std::move(arranged);
}

// Of a table with a row for each path.
std::string CountersHtml(const ReportJob& job, std::string_view title, CounterTable table,
                         std::vector<std::string> looks) {
  if (table.columns.empty()) return {};
  const std::vector<size_t> order = TimeOrder(job.profile, job.analysis);
  Arrange(order, table.rows);
  Arrange(order, looks);
  return HtmlCounters(title, table, looks);
}

std::string Details(const ReportJob& job, const std::vector<std::string>& looks) {
  const std::string text =
      CountersHtml(job, "Counters", CountersBeside(job.profile, job.analysis), looks) +
      CountersHtml(job, "Cross-check: counting engine / hardware counters",
                   CrossChecks(job.profile, job.analysis), looks) +
      DevicesHtml(job) + "<noscript>" + StandingsHtml(job) + OtherCharts(job) + Loops(job) +
      "</noscript>\n" + HtmlList("Notes", Remarks(job.profile, job.analysis)) +
      HtmlList("Missing", MissingReasons(job.profile, job.analysis)) +
      HtmlList("Run", Provenance(job.profile, job.analysis));
  return "<div class=\"details\">" + text + "</div>\n";
}

// The script finds the region of a row by the same order.
std::string RegionsHtml(const ReportJob& job, const std::vector<std::string>& looks) {
  std::vector<Row> rows = TableRows(job);
  std::vector<std::string> looks_of_rows = looks;
  const std::vector<size_t> order = TableOrder(job, rows);
  Arrange(order, rows);
  Arrange(order, looks_of_rows);
  std::string out = HtmlTable(ReportColumns(), rows, looks_of_rows, true);
  std::vector<std::string> below = MarkLines(ReportColumns(), rows);
  below.push_back(SlowestRankLine(job));
  std::erase(below, "");
  for (const std::string& line : below) {
    out += fmt::format("<div class=\"marks\">{}</div>\n", XmlText(line));
  }
  return out;
}

std::string PageSection(const ReportJob& job) {
  const std::vector<std::string> looks = Looks(job, TableRows(job).size());
  return fmt::format("<section class=\"job\">\n<h2>{}</h2>\n", PageTitle(job)) +
         Found(job.profile.run) + Heads(job) + "<div class=\"view\"><div class=\"wide picture\">" +
         PictureOf(MakeChart(job)) + "</div></div>\n" + RegionsHtml(job, looks) +
         Details(job, looks) + "</section>\n";
}

}  // namespace

std::string RenderHtml(const std::vector<ReportJob>& jobs) {
  std::string main;
  for (const ReportJob& job : jobs) main += PageSection(job);
  return HtmlDocument(jobs.empty() ? "" : jobs[0].name, main, PageData(jobs));
}

}  // namespace roofmark
