// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "lib/report/explain_terms.h"

namespace roofmark {
namespace {

struct MarkedCell {
  std::string_view text;
  bool is_limit, is_program;
};

std::vector<MarkedCell> CellsOf(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  std::vector<MarkedCell> cells;
  for (const Row& row : rows) {
    for (size_t c = 0; c < columns.size(); ++c) {
      cells.push_back({row.cells[c], columns[c].is_limit, row.name == kProgramName});
    }
  }
  return cells;
}

// What cells of limits name, each once: a cell of phases names two.
struct NamedLimits {
  std::vector<std::string_view> phases;  // whole cells: "DRAM/compute"
  std::vector<std::string_view> single;  // "DRAM", "chain+DRAM", "DRAM?", "?"
};

void AddOnce(std::string_view text, std::vector<std::string_view>& texts) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

NamedLimits LimitsOf(const std::vector<MarkedCell>& cells) {
  NamedLimits limits;
  for (const MarkedCell& cell : cells) {
    if (!cell.is_limit) continue;
    const size_t cut = cell.text.find('/');
    AddOnce(cell.text.substr(0, cut), limits.single);
    if (cut == std::string_view::npos) continue;
    AddOnce(cell.text.substr(cut + 1), limits.single);
    AddOnce(cell.text, limits.phases);
  }
  return limits;
}

bool IsUnknown(std::string_view limit) { return limit == kMarkUnknown; }

bool IsLikely(std::string_view limit) { return limit.size() > 1 && limit.ends_with('?'); }

bool IsOfTwo(std::string_view limit) { return limit.find('+') != std::string_view::npos; }

std::string LineOf(std::string_view mark, std::string_view term) {
  return fmt::format("{}  {}", mark, TermOf(term).brief);
}

// "L2?, DRAM?  likely, ...": those of the limits that it is true of. Nothing where there are none.
template <typename Is>
void AddLine(const std::vector<std::string_view>& limits, Is is, std::string_view term,
             std::vector<std::string>& lines) {
  std::vector<std::string_view> texts;
  std::copy_if(limits.begin(), limits.end(), std::back_inserter(texts), is);
  if (!texts.empty()) lines.push_back(LineOf(fmt::format("{}", fmt::join(texts, ", ")), term));
}

// Of (program) it means another thing.
std::string DeclaredLine(const std::vector<MarkedCell>& cells) {
  const auto any = [&cells](bool of_program) {
    return std::any_of(cells.begin(), cells.end(), [of_program](const MarkedCell& cell) {
      return cell.is_program == of_program && cell.text.ends_with(kDeclaredMark);
    });
  };
  const bool regions = any(false), program = any(true);
  if (!regions) return program ? LineOf(kMarkDeclared, kMarkInRegions) : std::string();
  const std::string line = LineOf(kMarkDeclared, kMarkDeclared);
  return program ? fmt::format("{}; {}", line, TermOf(kMarkInRegions).brief) : line;
}

}  // namespace

std::vector<std::string> MarkLines(const std::vector<Column>& columns,
                                   const std::vector<Row>& rows) {
  const std::vector<MarkedCell> cells = CellsOf(columns, rows);
  const auto any = [&cells](auto is) { return std::any_of(cells.begin(), cells.end(), is); };
  std::vector<std::string> lines;
  const NamedLimits limits = LimitsOf(cells);
  AddLine(limits.single, IsUnknown, kMarkUnknown, lines);
  AddLine(limits.single, IsLikely, kMarkLikely, lines);
  AddLine(
      limits.phases, [](std::string_view) { return true; }, kTermPhases, lines);
  AddLine(limits.single, IsOfTwo, kMarkTwo, lines);
  if (std::string line = DeclaredLine(cells); !line.empty()) lines.push_back(std::move(line));
  if (any([](const MarkedCell& cell) {
        return HasMark(cell.text) && cell.text.ends_with(kScaledMark);
      })) {
    lines.push_back(LineOf(kMarkScaled, kMarkScaled));
  }
  if (any([](const MarkedCell& cell) { return cell.text == kMarkNone; })) {
    lines.push_back(LineOf(kMarkNone, kMarkNone));
  }
  return lines;
}

}  // namespace roofmark
