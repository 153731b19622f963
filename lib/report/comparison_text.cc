// SPDX-License-Identifier: BSD-3-Clause
//
// A comparison for terminal and Markdown.
#include <fmt/format.h>

#include <algorithm>

#include "lib/report/comparison_report.h"
#include "lib/report/comparison_table.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

constexpr size_t kMany = 20;

std::string Executions(const ReportJob& job, size_t count) {
  return fmt::format("{}, {} execution{}", Printable(job.name), count, count == 1 ? "" : "s");
}

bool ShowsAll(const Comparison& comparison, Detail detail) {
  return detail == Detail::kAll || comparison.regions.size() <= kMany;
}

}  // namespace

std::string RenderComparison(const ComparedJobs& jobs, const TextStyle& style) {
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  const Comparison& comparison = jobs.comparison;
  std::string out =
      Wrap("first:  " + Executions(jobs.before, comparison.executions_before), width, 8) +
      Wrap("second: " + Executions(jobs.after, comparison.executions_after), width, 8) + "\n";
  for (const std::string& sentence : Conclusions(jobs)) out += Wrap(sentence, width, 2);
  const ComparisonTable table =
      TableOf(comparison, ShowsAll(comparison, style.detail), style.unicode ? "→" : "->");
  if (table.regions.empty()) return out;
  out += "\n" + GridText(table.grid, width, style.unicode);
  for (const std::string& line : LegendOf(comparison, table))
    out += "  " + Wrap(line, width - 2, 4);
  return out;
}

std::string RenderComparisonMarkdown(const ComparedJobs& jobs) {
  const Comparison& comparison = jobs.comparison;
  std::string out = fmt::format("First: {}, executions: {}. Second: {}, executions: {}.\n\n",
                                MarkdownCode(jobs.before.name), comparison.executions_before,
                                MarkdownCode(jobs.after.name), comparison.executions_after);
  for (const std::string& sentence : Conclusions(jobs)) {
    out += "- " + MarkdownSentence(sentence) + "\n";
  }
  const ComparisonTable table = TableOf(comparison, ShowsAll(comparison, Detail::kShort), "→");
  if (table.regions.empty()) return out;
  out += "\n" + GridMarkdown(table.grid) + "\n";
  for (const std::string& line : LegendOf(comparison, table))
    out += MarkdownSentence(line) + "  \n";
  return out;
}

}  // namespace roofmark
