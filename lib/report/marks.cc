// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

bool IsOfPhases(const MarkedCell& cell) {
  return cell.is_limit && cell.text.find('/') != std::string_view::npos;
}

// Of a limit, or of one of its phases.
template <typename Is>
bool AnyPhase(const MarkedCell& cell, Is is) {
  if (!cell.is_limit) return false;
  const size_t cut = cell.text.find('/');
  return is(cell.text.substr(0, cut)) ||
         (cut != std::string_view::npos && is(cell.text.substr(cut + 1)));
}

bool IsUnknown(const MarkedCell& cell) {
  return AnyPhase(cell, [](std::string_view limit) { return limit == kMarkUnknown; });
}

bool IsLikely(const MarkedCell& cell) {
  return AnyPhase(cell,
                  [](std::string_view limit) { return limit.size() > 1 && limit.ends_with('?'); });
}

bool IsOfTwo(const MarkedCell& cell) {
  return cell.is_limit && cell.text.find('+') != std::string_view::npos;
}

std::string LineOf(std::string_view mark, std::string_view term) {
  return fmt::format("{}  {}", mark, TermOf(term).brief);
}

// "DRAM?", "L2?, DRAM?": what such cells have, each once.
template <typename Is>
std::string TextsOf(const std::vector<MarkedCell>& cells, Is is) {
  std::vector<std::string_view> texts;
  for (const MarkedCell& cell : cells) {
    const bool is_new = std::find(texts.begin(), texts.end(), cell.text) == texts.end();
    if (is(cell) && is_new) texts.push_back(cell.text);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
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
  if (any(IsUnknown)) lines.push_back(LineOf(kMarkUnknown, kMarkUnknown));
  if (any(IsLikely)) lines.push_back(LineOf(TextsOf(cells, IsLikely), kMarkLikely));
  if (any(IsOfPhases)) lines.push_back(LineOf(TextsOf(cells, IsOfPhases), kTermPhases));
  if (any(IsOfTwo)) lines.push_back(LineOf(TextsOf(cells, IsOfTwo), kMarkTwo));
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
