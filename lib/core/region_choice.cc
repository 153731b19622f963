// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/region_choice.h"

#include <algorithm>
#include <utility>

#include "lib/core/pattern_list.h"

namespace roofmark {

// --- one pattern ------------------------------------------------------------------------------

std::string RegionPattern::AddPart(std::string_view text, bool of_path) {
  if (text.empty()) return "has a / without a name on both sides";
  Result<Glob> glob = Glob::Parse(text);
  if (!glob) return glob.error();
  const bool one_or_more = of_path && glob->TakesAll();
  parts_.push_back({false, std::move(*glob)});
  if (one_or_more) parts_.push_back({.star = true});
  return {};
}

Result<RegionPattern> RegionPattern::Parse(std::string_view text) {
  RegionPattern pattern;
  pattern.leaves_out_ = text.starts_with('-');
  if (pattern.leaves_out_) text = Trim(text.substr(1), kAroundPatterns);
  if (text.empty()) return Error{"names no region"};
  const bool outermost = text.starts_with('/');
  if (outermost) text.remove_prefix(1);
  if (!outermost) pattern.parts_.push_back({.star = true});
  const std::vector<std::string_view> parts = SplitGlobs(text, '/');
  for (const std::string_view part : parts) {
    std::string problem = pattern.AddPart(part, outermost || parts.size() > 1);
    if (!problem.empty()) return Error{std::move(problem)};
  }
  return pattern;
}

bool RegionPattern::Matches(const std::vector<std::string>& names) const {
  return MatchesSequence(parts_, names, [](const Part& part, const std::string& name) {
    return part.glob.Matches(name);
  });
}

bool RegionPattern::MayEndWith(std::string_view name) const {
  return parts_.back().star || parts_.back().glob.Matches(name);
}

// NAME/* alone: in every other pattern with `/` it matters which regions are next to each other.
bool RegionPattern::Overlooks(std::string_view name) const {
  if (IsOfName()) return true;
  return parts_.size() == 4 && parts_[0].star && !parts_[1].star && !parts_[2].star &&
         parts_[3].star && !parts_[1].glob.Matches(name);
}

// --- all patterns -----------------------------------------------------------------------------

Result<RegionChoice> RegionChoice::Parse(std::string_view text) {
  Result<std::vector<RegionPattern>> patterns = ParsePatterns<RegionPattern>(text);
  if (!patterns) return Error{patterns.error()};
  RegionChoice choice;
  choice.patterns_ = std::move(*patterns);
  for (const RegionPattern& pattern : choice.patterns_) {
    choice.otherwise_ = choice.otherwise_ && pattern.leaves_out();
    choice.needs_paths_ = choice.needs_paths_ || !pattern.IsOfName();
  }
  return choice;
}

bool RegionChoice::LeavesOut(std::string_view name) const {
  bool in = otherwise_;
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    // One with a path may match or not: only what it leaves out is no matter.
    if (!pattern->MayEndWith(name) || (!pattern->IsOfName() && pattern->leaves_out())) continue;
    in = !pattern->leaves_out();
    break;
  }
  return !in && std::all_of(patterns_.begin(), patterns_.end(),
                            [name](const RegionPattern& each) { return each.Overlooks(name); });
}

bool RegionChoice::Chooses(const std::vector<std::string>& names) const {
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->Matches(names)) return !pattern->leaves_out();
  }
  return otherwise_;
}

}  // namespace roofmark
