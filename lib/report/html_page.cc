// SPDX-License-Identifier: BSD-3-Clause
//
// The page: all of it can be read without the script, which makes charts and tables answer.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "lib/report/cross_checks.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/html_table.h"
#include "lib/report/loops_text.h"
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

// The file, and what it is held against.
std::string Title(const ReportJob& job) {
  const std::string name = XmlText(job.name);
  if (!job.analysis.roofs) return name;
  return fmt::format("{} <small>on {}</small>", name, XmlText(job.analysis.roofs->machine));
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

std::string Items(std::span<const std::string> lines) {
  std::string out;
  for (const std::string& line : lines) out += "<li>" + XmlText(line) + "</li>\n";
  return out;
}

// What makes the figures doubtful. The script folds it where the screen is narrow.
std::string Health(const ReportJob& job) {
  const std::vector<std::string> lines = HealthThings(job);
  if (lines.empty()) return {};
  const std::string title = HealthTitle(HealthOf(job.profile, job.analysis));
  return fmt::format(
      "<details class=\"health foldable\" open><summary><h3>{}</h3></summary>\n<ul>\n{}</ul>"
      "</details>\n",
      XmlText(title), Items(lines));
}

// What to do: the first is always seen.
std::string First(const ReportJob& job) {
  constexpr size_t kMostFirst = 5;
  const std::vector<std::string> lines = FirstThings(job, kMostFirst);
  if (lines.empty()) return {};
  std::string title = FirstTitle(job);
  title[0] = 'D';
  const std::span<const std::string> all(lines);
  std::string out =
      fmt::format("<div class=\"first\"><h3>{}</h3>\n<ol>\n{}</ol>\n", title, Items(all.first(1)));
  if (lines.size() > 1) {
    out += fmt::format(
        "<details class=\"foldable\" open><summary>{} more</summary>\n<ol start=\"2\">\n{}</ol>"
        "</details>\n",
        lines.size() - 1, Items(all.subspan(1)));
  }
  return out + "</div>\n";
}

std::string Heads(const ReportJob& job) {
  const std::string heads = Health(job) + First(job);
  return heads.empty() ? heads : "<div class=\"heads\">\n" + heads + "</div>\n";
}

std::string Standing(const ReportJob& job) {
  std::string out;
  for (const roofmark::Standing& standing : Standings(job, Detail::kAll)) {
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

std::string Details(const ReportJob& job, const std::vector<std::string>& looks) {
  const std::string text =
      HtmlCounters("Counters", CountersBeside(job.profile, job.analysis), looks) +
      HtmlCounters("Cross-check: counting engine / hardware counters",
                   CrossChecks(job.profile, job.analysis), looks) +
      "<noscript>" + Standing(job) + OtherCharts(job) + Loops(job) + "</noscript>\n" +
      HtmlList("Notes", Remarks(job.profile, job.analysis)) +
      HtmlList("Missing", MissingReasons(job.profile, job.analysis)) +
      HtmlList("Run", Provenance(job.profile, job.analysis));
  return "<div class=\"details\">" + text + "</div>\n";
}

std::string Section(const ReportJob& job) {
  const std::vector<Row> rows = TableRows(job);
  const std::vector<std::string> looks = Looks(job, rows.size());
  return fmt::format("<section class=\"job\">\n<h2>{}</h2>\n", Title(job)) +
         Found(job.profile.run) + Heads(job) + "<div class=\"view\"><div class=\"wide picture\">" +
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
