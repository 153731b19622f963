// SPDX-License-Identifier: BSD-3-Clause
//
// The report as Markdown, for a pull request.
#include <fmt/format.h>

#include "lib/report/caution.h"
#include "lib/report/device_words.h"
#include "lib/report/devices.h"
#include "lib/report/display_width.h"
#include "lib/report/grid.h"
#include "lib/report/guidance.h"
#include "lib/report/health_words.h"
#include "lib/report/narrow.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

constexpr size_t kMostListed = 5;

template <class Table>  // with columns and rows
Grid GridOf(const Table& table) {
  Grid grid;
  grid.head = {"region"};
  for (const Column& column : table.columns) grid.head.push_back(column.head);
  for (const Row& row : table.rows) {
    grid.rows.push_back({NameOf(row)});
    for (const std::string& cell : row.cells) grid.rows.back().push_back(cell);
  }
  return grid;
}

std::string List(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = fmt::format("**{}**\n\n", title);
  for (const std::string& line : lines) out += "- " + MarkdownSentence(line) + "\n";
  return out + "\n";
}

std::string DevicesMarkdown(const ReportJob& job) {
  std::string out = List(kFirstOnDevicesTitle, FirstOnDevices(job, kMostListed));
  for (const DeviceTable& device : DeviceTables(job, kFewDevices)) {
    out += fmt::format("**{}**\n\n", MarkdownSentence(device.title));
    if (!device.table.columns.empty()) out += GridMarkdown(GridOf(device.table)) + "\n";
    out += List("Missing and notes", device.table.legend);
  }
  const std::string left_out = DevicesLeftOut(job, kFewDevices);
  return left_out.empty() ? out : out + left_out + "\n\n";
}

}  // namespace

std::string RenderMarkdown(const std::vector<ReportJob>& jobs) {
  constexpr int kPageWidth = 200;  // nothing has to give way
  std::string out;
  for (const ReportJob& job : jobs) {
    const NarrowTable table = Narrow(job, {.width = kPageWidth});
    out += fmt::format("### {}\n\n", MarkdownCode(job.name));
    std::vector<std::string> health = HealthThings(job);
    if (health.empty() && !job.profile.paths.empty()) health.emplace_back(kNoDoubt);
    out += List("Health", health);
    const std::vector<std::string> first = FirstThings(job, kMostListed);
    out += List(FirstTitle(job), first);
    if (const std::string order = FirstOrder(first.size()); !order.empty()) out += order + "\n\n";
    if (!table.rows.empty()) out += GridMarkdown(GridOf(table)) + "\n";
    out += List("Notes", table.legend);
    out += DevicesMarkdown(job);
    out += List("Missing (-)", MissingReasons(job.profile, job.analysis));
  }
  return out;
}

}  // namespace roofmark
