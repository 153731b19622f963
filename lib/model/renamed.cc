// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/renamed.h"

#include <algorithm>

namespace roofmark {

bool RenameMap::Rule::Fits(std::string_view path) const {
  if (!path.starts_with(old_path)) return false;
  return path.size() == old_path.size() || path[old_path.size()] == '/';
}

Result<bool> RenameMap::Add(std::string_view rule) {
  std::string sides[2];
  size_t side = 0;
  for (size_t i = 0; i < rule.size(); ++i) {
    const bool escaped = rule[i] == '\\' && i + 1 < rule.size();
    if (escaped && rule[i + 1] == '=') {
      sides[side] += rule[++i];
    } else if (escaped) {  // of the path
      sides[side] += rule[i];
      sides[side] += rule[++i];
    } else if (rule[i] == '=' && side == 0) {
      side = 1;
    } else if (rule[i] == '=') {
      return Error{"has more than one =; write \\= for a = of a name"};
    } else {
      sides[side] += rule[i];
    }
  }
  if (side == 0) return Error{"has no =; give OLD=NEW"};
  if (sides[0].empty() || sides[1].empty())
    return Error{"names no region on one side; give OLD=NEW"};
  const auto same = [&](const Rule& other) { return other.old_path == sides[0]; };
  if (std::any_of(rules_.begin(), rules_.end(), same)) {
    return Error{"renames a region that another rule renames already"};
  }
  rules_.push_back({std::move(sides[0]), std::move(sides[1])});
  return true;
}

Result<bool> RenameMap::AddLines(std::string_view text) {
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    if (const Result<bool> added = Add(line); !added) {
      return Error{"line " + std::to_string(number) + " " + added.error()};
    }
  }
  return true;
}

std::string RenameMap::Renamed(std::string_view path) const {
  const Rule* longest = nullptr;
  for (const Rule& rule : rules_) {
    if (!rule.Fits(path)) continue;
    if (longest == nullptr || rule.old_path.size() > longest->old_path.size()) longest = &rule;
  }
  if (longest == nullptr) return std::string(path);
  return longest->new_path + std::string(path.substr(longest->old_path.size()));
}

std::vector<std::string> RenameMap::Unused(const std::vector<std::string>& paths) const {
  std::vector<std::string> unused;
  for (const Rule& rule : rules_) {
    const auto fits = [&](const std::string& path) { return rule.Fits(path); };
    if (std::none_of(paths.begin(), paths.end(), fits)) unused.push_back(rule.old_path);
  }
  return unused;
}

}  // namespace roofmark
