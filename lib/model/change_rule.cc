// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/change_rule.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lib/core/pattern_list.h"
#include "lib/model/path_names.h"

namespace roofmark {
namespace {

constexpr std::string_view kForm = "give REGIONS: QUANTITY > +N%, as in solve/*: time > +5%";

// Takes the beginning of `text` that `word` is, with the blanks behind it.
bool Take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  text = Trim(text, " \t");
  return true;
}

// "+5%" or "-3.5%" as a number; nothing where it is none.
std::optional<double> Percentage(std::string_view text) {
  if (text.size() < 3 || !text.ends_with('%') || (text[0] != '+' && text[0] != '-')) {
    return std::nullopt;
  }
  const std::string number(Trim(text.substr(0, text.size() - 1), " \t"));
  if (number.find_first_not_of("+-.0123456789") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  const bool whole = end == number.c_str() + number.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

}  // namespace

// Names may have colons: the last one is the rule's.
Result<ChangeRule> ChangeRule::Parse(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return Error{"has no colon; " + std::string(kForm)};
  const std::string_view name = Trim(text.substr(0, colon), " \t");
  Result<RegionPattern> pattern = RegionPattern::Parse(name);
  if (!pattern) return Error{pattern.error() + "; " + std::string(kForm)};
  if (pattern->leaves_out()) return Error{"begins with -, which leaves out; name regions"};
  ChangeRule rule(std::move(*pattern));
  rule.text_ = text;
  std::string_view rest = Trim(text.substr(colon + 1), " \t");
  const auto quantity = std::find_if(kQuantityTable.begin(), kQuantityTable.end(),
                                     [&](const auto& info) { return Take(rest, info.name); });
  if (quantity == kQuantityTable.end()) {
    return Error{"names no quantity behind its last colon: time, gflops, intensity or efficiency"};
  }
  rule.quantity_ = quantity->id;
  const bool grows = Take(rest, ">");
  if (!grows && !Take(rest, "<")) return Error{"has neither > nor <; " + std::string(kForm)};
  const std::optional<double> percent = Percentage(rest);
  if (!percent) return Error{"has no limit with sign and %; " + std::string(kForm)};
  if (grows ? *percent < 0 : (*percent > 0 || *percent <= -100)) {
    return Error{
        "can never be kept: growth (>) has a limit of +0% or more, loss (<) one between "
        "-0% and -100%"};
  }
  rule.grows_ = grows;
  rule.limit_ = 1 + *percent / 100;
  return rule;
}

bool ChangeRule::Names(const RegionChange& region) const {
  return pattern_.Matches(PathNames(region.path)) || pattern_.Matches(PathNames(region.new_path));
}

namespace {

RuleState StateOf(const ChangeRule& rule, const RegionChange& region) {
  const Change& change = region.Of(rule.quantity());
  if (!change.factor) return RuleState::kUndecided;
  const bool passes = rule.Passes(*change.factor);
  switch (change.noise) {
    case NoiseKind::kTested:
      return passes && change.significant ? RuleState::kBroken : RuleState::kKept;
    case NoiseKind::kCountedOnce:
      return passes ? RuleState::kBroken : RuleState::kKept;
    case NoiseKind::kUnknown:
    case NoiseKind::kSmall:
    case NoiseKind::kNoValue:
    case NoiseKind::kDoubtful:
      break;
  }
  return RuleState::kUndecided;
}

}  // namespace

RuleResult Judge(const ChangeRule& rule, const Comparison& comparison) {
  RuleResult broken = {RuleState::kBroken, {}}, undecided = {RuleState::kUndecided, {}};
  bool named = false;
  for (const RegionChange& region : comparison.regions) {
    if (!rule.Names(region)) continue;
    named = true;
    const RuleState state = StateOf(rule, region);
    if (state == RuleState::kBroken) broken.regions.push_back(&region);
    if (state == RuleState::kUndecided) undecided.regions.push_back(&region);
  }
  if (!broken.regions.empty()) return broken;
  if (!undecided.regions.empty()) return undecided;
  return {named ? RuleState::kKept : RuleState::kNoRegion, {}};
}

}  // namespace roofmark
