// SPDX-License-Identifier: BSD-3-Clause
//
// The table of a comparison, for terminal and Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lib/report/comparison_report.h"
#include "lib/report/format.h"
#include "lib/report/grid.h"

namespace roofmark {
namespace {

constexpr size_t kMany = 20;

std::string Number(Quantity quantity, const Value& value) {
  switch (quantity) {
    case Quantity::kTime:
      return OrDash(value, Seconds);
    case Quantity::kEfficiency:
      return OrDash(value, Percent);
    case Quantity::kGflops:
    case Quantity::kIntensity:
      break;
  }
  return OrDash(value, Plain);
}

// "1.23s -> 1.35s".
std::string BeforeAfter(Quantity quantity, const Change& change, std::string_view arrow) {
  const std::string before = Number(quantity, change.before),
                    after = Number(quantity, change.after);
  if (before == "-" && after == "-") return "-";
  return fmt::format("{} {} {}", before, arrow, after);
}

std::string Marked(const Change& change) {
  if (!change.factor) return "-";
  const std::string text = ChangeText(*change.factor);
  switch (change.noise) {
    case Noise::kTested:
      return text + (change.significant ? "*" : " ");
    case Noise::kUnknown:
      return text + "?";
    case Noise::kSmall:
      return text + "~";
    case Noise::kCountedOnce:
    case Noise::kNoValue:
      break;
  }
  return text + " ";
}

std::string ChangeOf(const RegionChange& region, Quantity quantity) {
  if (region.presence == Presence::kBoth) return Marked(region.Of(quantity));
  if (quantity != Quantity::kTime) return "-";
  return region.presence == Presence::kNew ? "new" : "vanished";
}

std::string Limits(const RegionChange& region, std::string_view arrow) {
  const auto text = [](const std::string& limit) { return limit.empty() ? "-" : limit; };
  const std::string before = text(region.limit_before), after = text(region.limit_after);
  if (before == after) return before;
  return fmt::format("{} {} {}", before, arrow, after);
}

std::string NameOf(const RegionChange& region, std::string_view arrow) {
  if (region.path == region.new_path) return Printable(region.path);
  return fmt::format("{} {} {}", Printable(region.path), arrow, Printable(region.new_path));
}

constexpr std::string_view Unit(Quantity quantity) {
  constexpr std::array<std::string_view, kQuantities> kUnits = {"time", "GFLOP/s", "FLOP/byte",
                                                                "efficiency"};
  return kUnits[static_cast<size_t>(quantity)];
}

// What is small is left out of many regions, unless it is new, has vanished, or was tested.
bool Shown(const RegionChange& region, bool all) {
  return all || region.presence != Presence::kBoth ||
         region.Of(Quantity::kTime).noise != Noise::kSmall;
}

void DropEmptyColumns(Grid& grid) {
  for (size_t c = grid.head.size(); c-- > 1;) {
    const auto empty = [c](const auto& row) { return row[c] == "-"; };
    if (!std::all_of(grid.rows.begin(), grid.rows.end(), empty)) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    grid.head.erase(grid.head.begin() + at);
    for (auto& row : grid.rows) row.erase(row.begin() + at);
  }
}

Grid GridOf(const Comparison& comparison, bool all, std::string_view arrow) {
  Grid grid;
  grid.head = {"region"};
  for (const QuantityInfo& info : kQuantityTable) {
    grid.head.emplace_back(Unit(info.id));
    grid.head.emplace_back("change");
  }
  grid.head.emplace_back("limit");
  for (const RegionChange& region : comparison.regions) {
    if (!Shown(region, all)) continue;
    std::vector<std::string> row = {NameOf(region, arrow)};
    for (const QuantityInfo& info : kQuantityTable) {
      row.push_back(BeforeAfter(info.id, region.Of(info.id), arrow));
      row.push_back(ChangeOf(region, info.id));
    }
    row.push_back(Limits(region, arrow));
    grid.rows.push_back(std::move(row));
  }
  DropEmptyColumns(grid);
  return grid;
}

std::string Executions(const ReportJob& job, size_t count) {
  return fmt::format("{}, {} execution{}", Printable(job.name), count, count == 1 ? "" : "s");
}

std::vector<std::string> Legend(const Comparison& comparison, const Grid& grid) {
  std::vector<std::string> lines;
  const auto any = [&](auto is) {
    return std::any_of(comparison.regions.begin(), comparison.regions.end(),
                       [&](const RegionChange& region) {
                         return region.presence == Presence::kBoth &&
                                std::any_of(region.changes.begin(), region.changes.end(), is);
                       });
  };
  const auto noise = [](Noise what) {
    return [what](const Change& change) { return change.noise == what; };
  };
  if (any([](const Change& change) { return change.significant; })) {
    lines.push_back(
        fmt::format("*: beyond noise, by Welch's test on the logarithms of times; {:g} % is the "
                    "chance of any * in a comparison of equal programs (Holm, {} regions)",
                    kFalseAlarms * 100, comparison.tested));
  }
  if (any(noise(Noise::kUnknown))) lines.emplace_back("?: noise is not known");
  if (any(noise(Noise::kSmall))) lines.emplace_back("~: not tested, below 1 % of both runs");
  const size_t left_out = comparison.regions.size() - grid.rows.size();
  if (left_out > 0) {
    lines.push_back(fmt::format("{} region{} below 1 % of both runs left out (--all)", left_out,
                                left_out == 1 ? " is" : "s are"));
  }
  return lines;
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
  const Grid grid =
      GridOf(comparison, ShowsAll(comparison, style.detail), style.unicode ? "→" : "->");
  if (grid.rows.empty()) return out;
  out += "\n" + GridText(grid, width, style.unicode);
  for (const std::string& line : Legend(comparison, grid)) out += "  " + Wrap(line, width - 2, 4);
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
  const Grid grid = GridOf(comparison, ShowsAll(comparison, Detail::kShort), "→");
  if (grid.rows.empty()) return out;
  out += "\n" + GridMarkdown(grid) + "\n";
  for (const std::string& line : Legend(comparison, grid)) out += MarkdownSentence(line) + "  \n";
  return out;
}

}  // namespace roofmark
