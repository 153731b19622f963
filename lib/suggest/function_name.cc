// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/function_name.h"

#include <algorithm>
#include <optional>

#include "lib/core/found_name.h"

namespace roofmark::suggest {
namespace {

// Where the next "::" is that is in no brackets.
size_t EndOfPart(std::string_view function) {
  int depth = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (depth <= 0 && function.substr(i, 2) == "::") return i;
  }
  return function.size();
}

}  // namespace

bool NamesAFunction(std::string_view region) {
  return !LoopName::Of(region) && region.ends_with("()");
}

std::string FunctionOf(std::string_view region) {
  const std::optional<LoopName> loop = LoopName::Of(region);
  if (!loop) {
    return NamesAFunction(region) ? std::string(region.substr(0, region.size() - 2)) : "";
  }
  const size_t end = loop->function.rfind("()");
  return end == std::string_view::npos ? "" : std::string(loop->function.substr(0, end));
}

std::string ShortName(std::string_view function) {
  std::string name;
  while (!function.empty()) {
    const size_t end = EndOfPart(function);
    const std::string_view part = function.substr(0, end);
    function.remove_prefix(std::min(end + 2, function.size()));
    const bool nameless = part.starts_with('{') || part.starts_with('<');
    if (nameless && function.starts_with("operator()")) break;
    // A first dot is the compiler's own, later ones begin what it adds: solve.constprop.0.
    if (!nameless) name = part.substr(0, part.find_first_of("<(.", 1));
  }
  return name;
}

std::string RegionNameOf(std::string_view function) {
  const std::string name = ShortName(function);
  const size_t end = function.rfind("::operator");
  const bool of_class = name.starts_with("operator") && end != std::string_view::npos;
  return of_class ? ShortName(function.substr(0, end)) : name;
}

}  // namespace roofmark::suggest
