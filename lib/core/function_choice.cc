// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/function_choice.h"

#include <utility>

#include "lib/core/pattern_list.h"

namespace roofmark {

Result<FunctionPattern> FunctionPattern::Parse(std::string_view text) {
  FunctionPattern pattern;
  pattern.text_ = text;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return Error{"has no colon between module and function (`app:solve*`, `libx.so:solve_`)"};
  }
  const std::string_view module = text.substr(0, colon), function = text.substr(colon + 1);
  if (function.empty()) return Error{"names no function behind its colon"};
  if (function[0] == ':') return Error{"names no module (write `app:` or `libx.so:` before it)"};
  pattern.executable_ = module.empty() || module == "app";
  Result<Glob> glob = Glob::Parse(function);
  if (!glob) return Error{glob.error()};
  pattern.function_ = std::move(*glob);
  if (module.find('/') != std::string_view::npos) {
    pattern.path_ = module;
    return pattern;
  }
  Result<Glob> files = Glob::Parse(module);
  if (!files) return Error{files.error()};
  pattern.module_ = std::move(*files);
  return pattern;
}

bool FunctionPattern::MatchesModule(std::string_view name, bool is_executable) const {
  if (!path_.empty()) return false;
  return executable_ ? is_executable : module_.Matches(name);
}

Result<FunctionChoice> FunctionChoice::Parse(std::string_view text) {
  Result<std::vector<FunctionPattern>> patterns = ParsePatterns<FunctionPattern>(text);
  if (!patterns) return Error{patterns.error()};
  return FunctionChoice{std::move(*patterns)};
}

}  // namespace roofmark
