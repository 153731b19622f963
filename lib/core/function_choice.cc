// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/function_choice.h"

#include <fmt/format.h>

#include <utility>

#include "lib/core/trim.h"

namespace roofmark {
namespace {

constexpr std::string_view kBlank = " \t\n\v\f\r";

}  // namespace

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
  FunctionChoice choice;
  for (std::string_view piece : SplitGlobs(text, ',')) {
    piece = Trim(piece, kBlank);
    if (piece.empty()) return Error{"there is a comma without a pattern on both sides of it"};
    Result<FunctionPattern> pattern = FunctionPattern::Parse(piece);
    if (!pattern) return Error{fmt::format("`{}` {}", piece, pattern.error())};
    choice.patterns.push_back(std::move(*pattern));
  }
  return choice;
}

}  // namespace roofmark
