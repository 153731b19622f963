// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/reason_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lib/report/format.h"
#include "lib/report/words.h"

namespace roofmark {

void ReasonList::Note(const Value& value, const std::string& column) {
  if (value || value.reason.empty()) return;
  const std::string reason = Printable(ReasonText(value.reason));
  auto it = std::find_if(by_reason_.begin(), by_reason_.end(),
                         [&](const auto& entry) { return entry.first == reason; });
  if (it == by_reason_.end()) it = by_reason_.insert(it, {reason, {}});
  auto& columns = it->second;
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
    columns.push_back(column);
  }
}

std::vector<std::string> ReasonList::Lines() const {
  std::vector<std::string> lines;
  for (const auto& [reason, columns] : by_reason_) {
    lines.push_back(fmt::format("{}: {}", fmt::join(columns, ", "), reason));
  }
  return lines;
}

}  // namespace roofmark
