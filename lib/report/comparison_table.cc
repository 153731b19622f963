// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lib/report/comparison_report.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

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
    case NoiseKind::kTested:
      return text + (change.significant ? "*" : " ");
    case NoiseKind::kUnknown:
    case NoiseKind::kDoubtful:
      return text + "?";
    case NoiseKind::kSmall:
      return text + "~";
    case NoiseKind::kCountedOnce:
    case NoiseKind::kNoValue:
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
         region.Of(Quantity::kTime).noise != NoiseKind::kSmall;
}

// Of the name, of the four quantities and their changes, and of the limit.
std::vector<ComparisonColumn> AllColumns() {
  using Cells = ComparisonColumn::Shows;
  std::vector<ComparisonColumn> columns = {{Cells::kName, {}, "region"}};
  for (const QuantityInfo& info : kQuantityTable) {
    columns.push_back({Cells::kValues, info.id, std::string(Unit(info.id))});
    columns.push_back({Cells::kChange, info.id, "change"});
  }
  columns.push_back({Cells::kLimit, {}, "limit"});
  return columns;
}

std::string CellText(const ComparisonColumn& column, const RegionChange& region,
                     std::string_view arrow) {
  switch (column.shows) {
    case ComparisonColumn::Shows::kName:
      return NameOf(region, arrow);
    case ComparisonColumn::Shows::kValues:
      return BeforeAfter(column.quantity, region.Of(column.quantity), arrow);
    case ComparisonColumn::Shows::kChange:
      return ChangeOf(region, column.quantity);
    case ComparisonColumn::Shows::kLimit:
      break;
  }
  return Limits(region, arrow);
}

void DropEmptyColumns(ComparisonTable& table) {
  Grid& grid = table.grid;
  for (size_t c = grid.head.size(); c-- > 1;) {
    const auto empty = [c](const auto& row) { return row[c] == "-"; };
    if (!std::all_of(grid.rows.begin(), grid.rows.end(), empty)) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    grid.head.erase(grid.head.begin() + at);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : grid.rows) row.erase(row.begin() + at);
  }
}

}  // namespace

ComparisonTable TableOf(const Comparison& comparison, bool all, std::string_view arrow) {
  ComparisonTable table;
  table.columns = AllColumns();
  for (const ComparisonColumn& column : table.columns) table.grid.head.push_back(column.head);
  for (size_t i = 0; i < comparison.regions.size(); ++i) {
    const RegionChange& region = comparison.regions[i];
    if (!Shown(region, all)) continue;
    std::vector<std::string> row;
    for (const ComparisonColumn& column : table.columns)
      row.push_back(CellText(column, region, arrow));
    table.grid.rows.push_back(std::move(row));
    table.regions.push_back(i);
  }
  DropEmptyColumns(table);
  return table;
}

std::vector<std::string> LegendOf(const Comparison& comparison, const ComparisonTable& table) {
  std::vector<std::string> lines;
  const auto any = [&](auto is) {
    return std::any_of(comparison.regions.begin(), comparison.regions.end(),
                       [&](const RegionChange& region) {
                         return region.presence == Presence::kBoth &&
                                std::any_of(region.changes.begin(), region.changes.end(), is);
                       });
  };
  const auto noise = [](NoiseKind what) {
    return [what](const Change& change) { return change.noise == what; };
  };
  if (any([](const Change& change) { return change.significant; })) {
    lines.push_back(
        fmt::format("*: beyond noise, by Welch's test on the logarithms of times; {:g} % is the "
                    "chance of any * in a comparison of equal programs (Holm, {} regions)",
                    kFalseAlarms * 100, comparison.tested));
  }
  if (!comparison.times_hold()) {
    lines.emplace_back("?: cannot be decided, because times do not hold");
  } else if (any(noise(NoiseKind::kUnknown))) {
    lines.emplace_back("?: noise is not known");
  }
  if (any(noise(NoiseKind::kSmall))) lines.emplace_back("~: not tested, below 1 % of both runs");
  const size_t left_out = comparison.regions.size() - table.regions.size();
  if (left_out > 0) {
    lines.push_back(fmt::format("{} region{} below 1 % of both runs left out (--all)", left_out,
                                left_out == 1 ? " is" : "s are"));
  }
  return lines;
}

}  // namespace roofmark
