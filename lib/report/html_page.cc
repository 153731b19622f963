// SPDX-License-Identifier: BSD-3-Clause
//
// The page: all of it can be read without the script, which makes charts and tables answer.
#include <fmt/format.h>

#include <algorithm>

#include "lib/report/cross_checks.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/html_table.h"
#include "lib/report/page_assets.h"
#include "lib/report/page_data.h"
#include "lib/report/svg_chart.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

int Digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Bytes given as hexadecimal digits, in base64.
std::string Base64(std::string_view hex) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : hex) {
    bits = bits << 4 | static_cast<unsigned>(Digit(c));
    count += 4;
    if (count < 6) continue;
    count -= 6;
    out += kLetters[bits >> count & 63];
  }
  if (count > 0) out += kLetters[bits << (6 - count) & 63];
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

// Nothing but the page's own script and styles takes effect, and nothing is loaded; pictures that
// the script makes of a chart are blobs.
std::string Policy() {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}' 'sha256-{}'; img-src "
      "blob:; base-uri 'none'; form-action 'none'",
      Base64(kPageScript.sha256), Base64(kChartStyle.sha256), Base64(kPageStyle.sha256));
}

std::string Title(const ReportJob& job) {
  return job.analysis.roofs ? fmt::format("{} on {}", job.name, job.analysis.roofs->machine)
                            : job.name;
}

std::string Picture(const Chart& chart) {
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
         Picture(MakeChart(job, ChartKind::kHierarchical)) +
         "</div>\n<h3>Cache-aware roofline</h3>\n<div class=\"wide\">" +
         Picture(MakeChart(job, ChartKind::kCacheAware)) + "</div>\n";
}

std::string Found(const RunInfo& run) {
  const std::string_view fact = FoundFact(run);
  return fact.empty() ? std::string() : fmt::format("<p>{}</p>\n", XmlText(fact));
}

// What makes the figures doubtful, then what to do.
std::string First(const ReportJob& job) {
  constexpr size_t kMostFirst = 5;
  const std::vector<std::string> health = HealthThings(job);
  const std::vector<std::string> lines = FirstThings(job, kMostFirst);
  std::string out;
  if (!health.empty()) {
    out += "<div class=\"health\">" + HtmlList("Health", health) + "</div>\n";
  }
  if (lines.empty()) return out;
  std::string title = FirstTitle(job);
  title[0] = 'D';
  out += fmt::format("<div class=\"first\"><h3>{}</h3>\n<ol>\n", title);
  for (const std::string& line : lines) out += "<li>" + XmlText(line) + "</li>\n";
  return out + "</ol></div>\n";
}

std::string Standing(const ReportJob& job) {
  std::string out;
  for (const roofmark::Standing& standing : Standings(job, Detail::kAll)) {
    out += HtmlList(standing.region, standing.lines);
  }
  return out;
}

// Of the table's rows.
std::vector<std::string> Looks(const ReportJob& job, size_t rows) {
  std::vector<std::string> looks(rows);
  for (const ChartDot& dot : ChartDots(job)) {
    looks[dot.is_program ? rows - 1 : dot.region] = DotLook(dot);
  }
  return looks;
}

std::string Details(const ReportJob& job, const std::vector<std::string>& looks) {
  const std::string text =
      HtmlCounters("Counters", CountersBeside(job.profile, job.analysis), looks) +
      HtmlCounters("Cross-check: counting engine / hardware counters",
                   CrossChecks(job.profile, job.analysis), looks) +
      "<noscript>" + Standing(job) + OtherCharts(job) + "</noscript>\n" +
      HtmlList("Notes", Remarks(job.profile, job.analysis)) +
      HtmlList("Missing", MissingReasons(job.profile, job.analysis)) +
      HtmlList("Run", Provenance(job.profile, job.analysis));
  return "<div class=\"details\">" + text + "</div>\n";
}

std::string Section(const ReportJob& job) {
  const std::vector<Row> rows = TableRows(job);
  const std::vector<std::string> looks = Looks(job, rows.size());
  return fmt::format("<section class=\"job\">\n<h2>{}</h2>\n", XmlText(Title(job))) +
         Found(job.profile.run) + First(job) + "<div class=\"view\"><div class=\"wide picture\">" +
         Picture(MakeChart(job)) + "</div></div>\n" +
         HtmlTable(ReportColumns(), rows, looks, true) + Details(job, looks) + "</section>\n";
}

}  // namespace

std::string RenderHtml(const std::vector<ReportJob>& jobs) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>roofmark: {}</title>\n<style id=\"chart-style\">{}</style>\n<style>{}</style></head>"
      "<body>\n<header><h1>roofmark</h1></header>\n<main>\n",
      Policy(), XmlText(jobs.empty() ? "" : jobs[0].name), kChartStyle.text, kPageStyle.text);
  for (const ReportJob& job : jobs) out += Section(job);
  return out + "</main>\n<script type=\"application/json\" id=\"data\">" + PageData(jobs) +
         "</script>\n<script>" + std::string(kPageScript.text) + "</script>\n</body></html>\n";
}

}  // namespace roofmark
