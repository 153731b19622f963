// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/nest_names.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "lib/core/file_name.h"

namespace roofmark::loops {
namespace {

std::string LineText(const SourceFrame& frame) {
  return fmt::format("{}:{}", FileName(frame.file), frame.line);
}

std::string Where(const Input& input, const Nest& nest) {
  if (!nest.place.empty() && nest.place.front().line != 0) return LineText(nest.place.front());
  return fmt::format("{}+{:#x}", input.library, nest.parts.front().header);
}

std::string Base(const Input& input, const Nest& nest) {
  const binary::Function& function = input.functions[nest.function];
  if (!nest.place.empty() && !nest.place.front().function.empty()) {
    return fmt::format("{} in {}()", Where(input, nest), nest.place.front().function);
  }
  if (!function.symbol.empty()) return fmt::format("{} in {}()", Where(input, nest), function.name);
  const std::string after = function.nearest.empty() ? "" : " behind " + function.nearest + "()";
  return fmt::format("{} in {}{}", Where(input, nest), function.name, after);
}

// The calls that inlined the loop, innermost first.
std::string Calls(const Nest& nest) {
  std::string text;
  for (size_t i = 1; i < nest.place.size(); ++i) text += ", at " + LineText(nest.place[i]);
  return text;
}

// Adds a text to the names that several have.
void TellApart(std::vector<Nest>& nests, const std::function<std::string(const Nest&)>& text) {
  std::map<std::string, int> count;
  for (const Nest& nest : nests) ++count[nest.name];
  for (Nest& nest : nests) {
    if (count[nest.name] > 1) nest.name += text(nest);
  }
}

}  // namespace

void NameNests(const Input& input, std::vector<Nest>& nests) {
  for (Nest& nest : nests) nest.name = Base(input, nest);
  TellApart(nests, Calls);
  TellApart(nests, [&](const Nest& nest) {
    return fmt::format(", {}+{:#x}", input.library, nest.parts.front().header);
  });
}

}  // namespace roofmark::loops
