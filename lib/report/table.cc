// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/core/tone.h"
#include "lib/report/caution.h"
#include "lib/report/counters.h"
#include "lib/report/cross_checks.h"
#include "lib/report/device_words.h"
#include "lib/report/devices.h"
#include "lib/report/display_width.h"
#include "lib/report/first_table.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/guidance.h"
#include "lib/report/hot_paths.h"
#include "lib/report/narrow.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/run_words.h"

namespace roofmark {
namespace {

constexpr size_t kMinNameWidth = 8, kReadableName = 14;
constexpr size_t kMostFirst = 5;

std::string TrimRight(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string Paragraph(std::string_view title, const std::vector<std::string>& lines, size_t width) {
  if (lines.empty()) return {};
  std::string out = fmt::format("{}\n", title);
  for (const std::string& line : lines) out += "  " + Wrap(line, width - 2, 4);
  return out;
}

std::string Numbered(std::string_view title, const std::vector<std::string>& lines, size_t width) {
  if (lines.empty()) return {};
  std::string out = fmt::format("{}\n", title);
  for (size_t i = 0; i < lines.size(); ++i) {
    out += Wrap(fmt::format("{}. {}", i + 1, lines[i]), width, 3);
  }
  return out;
}

struct TableText {
  const std::vector<Column>& columns;
  std::vector<Row> rows;
  size_t bar = 0;  // as in NarrowTable
};

size_t WidthOf(const TextStyle& style) {
  return static_cast<size_t>(std::max(style.width, kMinWidth));
}

std::string Padded(std::string_view text, const Column& column) {
  return column.is_text ? PadRight(text, column.width) : PadLeft(text, column.width);
}

// The share as a bar that is full at 1; of the program, which has all, nothing.
std::string ShareBar(const Row& row, size_t bar, bool unicode) {
  const double share = row.key == kProgramKey ? 0 : std::clamp(row.share, 0.0, 1.0);
  const auto cells = static_cast<size_t>(std::lround(share * static_cast<double>(bar)));
  std::string text;
  for (size_t i = 0; i < cells; ++i) text += unicode ? "█" : "#";
  return PadRight(text, bar);
}

// A cell with its mark, behind which one blank follows in any case.
std::string CellText(std::string cell, const Column& column, size_t mark_width, Tone tone,
                     bool color) {
  std::string mark;
  if (HasMark(cell)) {
    mark = cell.back();
    cell.pop_back();
  }
  // Blanks at the end have no tone: those of a line are cut off.
  const std::string padded = Padded(cell, column), text = TrimRight(padded);
  return " " + Toned(color, tone, text) + std::string(padded.size() - text.size(), ' ') +
         PadRight(mark, mark_width);
}

// Columns from `begin` to `end`.
std::string Block(const TableText& table, size_t begin, size_t end, size_t key_width,
                  size_t name_width, const TextStyle& style) {
  const std::vector<Column>& columns = table.columns;
  std::string head = PadRight("", key_width + 1) + PadRight("region", name_width);
  for (size_t c = begin; c < end; ++c) {
    const std::string bar(columns[c].is_share && table.bar > 0 ? table.bar + 1 : 0, ' ');
    const std::string mark(MarkWidth(table.rows, c), ' ');
    head += " " + Padded(columns[c].head, columns[c]) + mark + bar;
  }
  std::string out = Toned(style.color, Tone::kStrong, TrimRight(head)) + "\n";
  for (const Row& row : table.rows) {
    // A deep tree must leave room for the name.
    const size_t indent = std::min(row.depth, name_width - kMinNameWidth / 2);
    const std::string name =
        std::string(indent, ' ') + ShortName(row, name_width - indent, style.unicode ? "…" : "..");
    std::string line = PadRight(row.key, key_width + 1) + PadRight(name, name_width);
    for (size_t c = begin; c < end; ++c) {
      const Tone tone = columns[c].is_limit ? row.tone : Tone::kNone;
      line += CellText(row.cells[c], columns[c], MarkWidth(table.rows, c), tone, style.color);
      if (!columns[c].is_share || table.bar == 0) continue;
      line += " " + Toned(style.color, row.tone, ShareBar(row, table.bar, style.unicode));
    }
    out += TrimRight(line) + "\n";
  }
  return out;
}

// Columns that do not fit beside the names stand in further blocks.
std::string Table(const TableText& table, const TextStyle& style) {
  const std::vector<Column>& columns = table.columns;
  size_t key_width = 1, longest = 6;
  for (const Row& row : table.rows) {
    key_width = std::max(key_width, row.key.size());
    longest = std::max(longest, row.depth + DisplayWidth(row.name));
  }
  const size_t bar = table.bar > 0 ? table.bar + 1 : 0;
  const auto taken = [&](size_t c) {
    return columns[c].width + MarkWidth(table.rows, c) + kBetweenColumns;
  };
  size_t all = key_width + 1 + bar;
  for (size_t c = 0; c < columns.size(); ++c) all += taken(c);
  // Shorter names rather than another block, as long as they can be read.
  const bool fits = all + kReadableName <= WidthOf(style);
  const size_t least = std::max(kMinNameWidth, std::min(longest, fits ? kReadableName : kLongName));
  std::string out;
  for (size_t begin = 0; begin < columns.size();) {
    size_t fixed = key_width + 1, end = begin;
    while (end < columns.size()) {
      const size_t more = fixed + taken(end) + (columns[end].is_share ? bar : 0);
      if (end > begin && more + least > WidthOf(style)) break;
      fixed = more;
      ++end;
    }
    const size_t room =
        WidthOf(style) > fixed + kMinNameWidth ? WidthOf(style) - fixed : kMinNameWidth;
    if (begin > 0) out += "\n";
    out += Block(table, begin, end, key_width, std::min(room, longest), style);
    begin = end;
  }
  return out;
}

std::string Regions(const ReportJob& job, const TextStyle& style) {
  const NarrowTable table = Narrow(job, style);
  std::string out = Table({table.columns, table.rows, table.bar}, style);
  for (const std::string& line : table.legend) out += "  " + Wrap(line, WidthOf(style) - 2, 4);
  return out;
}

std::string Devices(const ReportJob& job, const TextStyle& style) {
  const size_t most = style.detail == Detail::kAll ? kAllDevices : kFewDevices,
               width = WidthOf(style);
  std::string out = Numbered(kFirstOnDevicesTitle, FirstOnDevices(job, kMostFirst), width);
  if (!out.empty()) out.insert(0, "\n");
  for (const DeviceTable& device : DeviceTables(job, most)) {
    out += "\n" + Wrap(device.title, width, 2);
    if (!device.table.columns.empty()) {
      out += Table({device.table.columns, device.table.rows}, style);
    }
    for (const std::string& line : device.table.legend) out += "  " + Wrap(line, width - 2, 4);
  }
  const std::string left_out = DevicesLeftOut(job, most);
  return left_out.empty() ? out : out + "  " + Wrap(left_out, width - 2, 4);
}

// Of a table with a row for each path: those that the first table shows, in its order.
TableText LikeRegions(const CounterTable& table, const ReportJob& job, const TextStyle& style) {
  TableText text = {table.columns, {}};
  for (const size_t path : HotPathsOf(job, style.detail).order)
    text.rows.push_back(table.rows[path]);
  return text;
}

std::string Tables(const ReportJob& job, const TextStyle& style) {
  std::string out = Regions(job, style);
  const CounterTable counters = CountersBeside(job.profile, job.analysis);
  if (!counters.columns.empty()) out += "\n" + Table(LikeRegions(counters, job, style), style);
  for (const std::string& line : counters.legend) out += "  " + Wrap(line, WidthOf(style) - 2, 6);
  out += Devices(job, style);
  const CounterTable checks = CrossChecks(job.profile, job.analysis);
  if (checks.columns.empty()) return out;
  out += fmt::format("\n{}\n{}", kCrossChecksTitle, Table(LikeRegions(checks, job, style), style));
  for (const std::string& line : checks.legend) out += "  " + Wrap(line, WidthOf(style) - 2, 4);
  return out;
}

std::string FoundText(const RunInfo& run, size_t width) {
  const std::string_view fact = FoundFact(run);
  return fact.empty() ? std::string() : Paragraph(kFoundTitle, {Printable(fact)}, width);
}

// A part, and a blank line.
std::string Apart(std::string part) { return part.empty() ? part : part.append("\n"); }

std::string Where(const ReportJob& job, const TextStyle& style) {
  std::string out;
  for (const Standing& standing : Standings(job, style.detail)) {
    out += (out.empty() ? "\n" : "") + Wrap(standing.region, WidthOf(style), 2);
    for (const std::string& line : standing.lines) {
      out += "  " + Wrap(line, WidthOf(style) - 2, 4);
    }
  }
  return out;
}

std::string NoRegion(const RunInfo& run) {
  return FoundFact(run).empty() ? "No region was entered: add ROOF_REGION_BEGIN(\"name\") and "
                                  "ROOF_REGION_END(\"name\")."
                                : "No loop or function was found, and no region was entered.";
}

std::string_view Ellipsis(const TextStyle& style) { return style.unicode ? "…" : ".."; }

std::string Footer(const ReportJob& job, const RunHeader& header, const TextStyle& style) {
  const size_t width = WidthOf(style);
  return "\n" + Paragraph("health", HealthBelow(job), width) + FoundText(job.profile.run, width) +
         Paragraph("run", FactsBelowHeader(job, header), width) +
         Paragraph("missing (-)", MissingReasons(job.profile, job.analysis), width) +
         Paragraph("note", Remarks(job.profile, job.analysis), width);
}

}  // namespace

std::string RenderTable(const std::vector<ReportJob>& jobs, const TextStyle& style) {
  std::string out;
  for (const ReportJob& job : jobs) {
    if (jobs.size() > 1) {
      out += (out.empty() ? "" : "\n") + Wrap(Printable(job.name) + ":", WidthOf(style), 2);
    }
    const RunHeader header = HeaderOf(job, WidthOf(style), Ellipsis(style));
    out += Toned(style.color, Tone::kStrong, header.text) + "\n" +
           Apart(CautionText(job, WidthOf(style), style.color));
    if (job.profile.paths.empty()) {
      out += Wrap(NoRegion(job.profile.run), WidthOf(style), 2);
      if (!job.analysis.whole.empty()) out += Regions(job, style);
    } else {
      out += Apart(FirstTable(job, style)) + Tables(job, style) + Where(job, style);
    }
    out += Footer(job, header, style);
  }
  return out;
}

}  // namespace roofmark
