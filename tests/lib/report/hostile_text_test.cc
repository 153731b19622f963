// SPDX-License-Identifier: BSD-3-Clause
//
// Every text that a file can bring, in every form of report: none is markup there, none controls a
// terminal, none is a formula.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "lib/core/terminal_text.h"
#include "lib/report/csv_field.h"
#include "lib/report/display_width.h"
#include "lib/report/loops_text.h"
#include "lib/report/page_assets.h"
#include "lib/report/report.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/lib/report/hostile_jobs.h"

namespace roofmark {
namespace {

using test::HostileJobs;
using test::HostileMachine;
using test::kHostile;
using test::LongHostile;
using test::Set;
using ::testing::HasSubstr;
using ::testing::Not;

// Without the page's own script, styles and data, of which only tags and policy are left.
std::string WithoutAssets(std::string page) {
  for (const std::string_view asset : {kPageScript.text, kPageStyle.text, kChartStyle.text}) {
    const size_t at = page.find(asset);
    if (at != std::string::npos) page.erase(at, asset.size());
  }
  const size_t data = page.find("id=\"data\">");
  if (data == std::string::npos) return page;
  const size_t begin = data + 10, end = page.find("</script>", begin);
  const std::string json = page.substr(begin, end - begin);
  EXPECT_EQ(json.find_first_of("<>&'"), std::string::npos) << "data could end its element";
  EXPECT_THAT(nlohmann::json::parse(json).dump(), HasSubstr("<script>x</script>"));
  return page.erase(begin, end - begin);
}

// The harmless tags and attributes of the pages are known; text lies between them.
void ExpectIsMarkup(const std::string& whole) {
  EXPECT_TRUE(PrintableLines(whole) == whole);
  std::string page = WithoutAssets(whole);
  const bool is_page = page.starts_with("<!DOCTYPE");
  for (const std::string_view own :
       {"<script type=\"application/json\" id=\"data\"></script>", "<script></script>"}) {
    const size_t at = page.find(own);
    EXPECT_EQ(at != std::string::npos, is_page) << own;
    if (at != std::string::npos) page.erase(at, own.size());
  }
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("]]>")));
  EXPECT_THAT(page, Not(HasSubstr("\"'")));
  EXPECT_THAT(page, Not(HasSubstr(kHostile.substr(0, 4)))) << "an unescaped quote";
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
}

TEST(HostileText, IsNoMarkupInPages) {
  for (const std::string& text : {kHostile, LongHostile()}) {
    const std::vector<ReportJob> jobs = HostileJobs(text);
    ExpectIsMarkup(RenderHtml(jobs));
    for (const ChartKind kind :
         {ChartKind::kRoofline, ChartKind::kHierarchical, ChartKind::kCacheAware}) {
      ExpectIsMarkup(RenderSvg(jobs, kind));
    }
    EXPECT_THAT(RenderMachineSvg(HostileMachine(text)), Not(HasSubstr("<script")));
  }
}

// Names are written out in titles alone, which nobody draws.
TEST(HostileText, LongNamesDoNotLeavePictures) {
  constexpr size_t kMostDrawn = 300;
  const std::string svg = RenderSvg(HostileJobs(LongHostile()));
  size_t drawn = 0;
  for (size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    const size_t begin = svg.find('>', at);
    EXPECT_LT(svg.find("</text>", at) - begin, kMostDrawn) << svg.substr(begin, 80);
    ++drawn;
  }
  EXPECT_GT(drawn, 10u);
}

// What is advised speaks of a region.
TEST(HostileText, IsNoMarkupInAdvice) {
  JobProfile job = test::EmptyJob(2, 1, 2);
  test::AddPass(job, "timer", 0.1);
  test::AddPass(job, "counting", 5);
  const size_t row = test::AddPath(job, EscapeRegionName(kHostile));
  const std::vector<uint64_t> flops = {6'000'000'000, 6'000'000'000};
  Set(job, row, metric::kVisits, {3, 3}, "timer");
  Set(job, row, metric::kTimeNs, {100'000'000, 90'000'000}, "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, {0, 0});
  Set(job, row, test::kDp256Fma, flops);
  Set(job, row, metric::kFlops, flops);
  Set(job, row, metric::kFlopsDp, flops);
  Set(job, row, metric::kDramBytes, {60'000'000, 60'000'000});
  Set(job, row, metric::kWorkers, {1, 1});
  Set(job, row, metric::kWorkerFlopsMax, {7'200'000'000, 6'000'000'000});
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(job, &machine);
  const std::string page = RenderHtml({{"F", std::move(job), std::move(analysis)}});
  EXPECT_THAT(page, HasSubstr("<h3>What to do first</h3>"));
  ExpectIsMarkup(page);
}

// XML namespaces are names, and nothing fetches them.
TEST(HostileText, PagesLoadNothing) {
  const std::string page = WithoutAssets(RenderHtml(HostileJobs()));
  const std::regex load(
      "(src|href|action|data)\\s*=\\s*[\"'](?!#)|url\\((?!#)|@import|<link|<iframe");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(page, found, load)) << found.str();
  EXPECT_THAT(page, HasSubstr("<svg"));
}

void ExpectFits(const std::string& text, size_t width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(DisplayWidth(line), width) << line.substr(0, 200);
  }
}

// Of a row of Markdown: bars that are not escaped.
size_t CellsOf(const std::string& line) {
  size_t cells = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++cells;
  }
  return cells;
}

TEST(HostileText, DoesNotReachTheTerminal) {
  for (const std::string& hostile : {kHostile, LongHostile()}) {
    const std::vector<ReportJob> jobs = HostileJobs(hostile);
    for (const bool unicode : {false, true}) {
      const TextStyle style = {80, unicode};
      for (const std::string& text :
           {RenderTable(jobs, style), RenderChart(jobs, style),
            RenderMachine(HostileMachine(hostile), style), RenderLoopList(jobs[0].loops),
            RenderLoops(jobs[0], jobs[0].loops, jobs[0].profile.paths[0].path)}) {
        EXPECT_TRUE(PrintableLines(text) == text);
        ExpectFits(text, 80);
      }
    }
  }
}

// No text of a table ends its cell or its row.
TEST(HostileText, IsNoMarkupInMarkdown) {
  for (const std::string& hostile : {kHostile, LongHostile()}) {
    const std::string text = RenderMarkdown(HostileJobs(hostile));
    for (const char* control : {"\x1b", "\x07", "\xC2\x9B", "\xE2\x80\xAE", "\r"}) {
      EXPECT_THAT(text, Not(HasSubstr(control)));
    }
    for (size_t at = text.find("<script"); at != std::string::npos;
         at = text.find("<script", at + 1)) {
      EXPECT_EQ(text.substr(at - 1, 1), "\\") << text.substr(at - 1, 80);
    }
    std::istringstream lines(text);
    size_t cells = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("| ")) {
        cells = line.starts_with("|---") ? cells : 0;
        continue;
      }
      const size_t own = CellsOf(line);
      if (cells != 0) {
        EXPECT_EQ(own, cells) << line.substr(0, 200);
      }
      cells = own;
    }
  }
}

TEST(HostileText, StaysTextInJson) {
  const auto json = nlohmann::json::parse(RenderJson(HostileJobs()));
  EXPECT_THAT(json["jobs"][0]["name"].get<std::string>(), HasSubstr("<script>"));
}

TEST(HostileText, IsNoFormulaInCsv) {
  for (const std::string& hostile : {kHostile, LongHostile()}) {
    const std::string csv = RenderCsv(HostileJobs(hostile)[0]);
    EXPECT_THAT(csv, Not(HasSubstr("\n=")));
    EXPECT_THAT(csv, Not(HasSubstr(",=")));
    EXPECT_THAT(csv, Not(HasSubstr("\"=")));
    EXPECT_THAT(csv, HasSubstr("\"'=1+\"\"'><script>"));
  }
  const std::string csv = RenderCsv(HostileJobs()[0]);
  EXPECT_THAT(csv, HasSubstr("\"'=1+\"\"'><script>"));
}

TEST(CsvFieldTest, FormulasAndSeparators) {
  EXPECT_EQ(CsvField("solve"), "solve");
  EXPECT_EQ(CsvField(""), "");
  for (const std::string text : {"=1", "+1", "-1", "@a", "\tb"}) {
    EXPECT_EQ(CsvField(text), "'" + text);
  }
  EXPECT_EQ(CsvField("\rb"), "\"'\rb\"");
  EXPECT_EQ(CsvField("a,\"b\""), "\"a,\"\"b\"\"\"");
}

TEST(TerminalText, ShowsWhatWouldControl) {
  EXPECT_EQ(Printable("a\x1b[2J\n\x7F"), "a\\x1B[2J\\x0A\\x7F");
  EXPECT_EQ(Printable("\xC2\x9B"
                      "0m\x9B"),
            "\\xC2\\x9B0m\\x9B");
  EXPECT_EQ(Printable("\xE2\x80\xAE"
                      "cba\xE2\x81\xA6"),
            "\\u{202E}cba\\u{2066}");
  EXPECT_EQ(Printable("\xC3\xA9 \xE2\x96\x88 \xF0\x9F\x94\xA5"),
            "\xC3\xA9 \xE2\x96\x88 \xF0\x9F\x94\xA5");
  EXPECT_EQ(PrintableLines("a\r\nb\n"), "a\\x0D\nb\n");
}

}  // namespace
}  // namespace roofmark
