// SPDX-License-Identifier: BSD-3-Clause
//
// Where the markers' header is included.
#include <fmt/format.h>

#include "lib/suggest/mark.h"

namespace roofmark::suggest {
namespace {

std::string_view Header(bool scoped) {
  return scoped ? "roofmark/roofmark.hpp" : "roofmark/roofmark.h";
}

bool Has(const Structure& structure, std::string_view header) {
  for (size_t i = 0; i < structure.size(); ++i) {
    const Token& token = structure.At(i);
    if (DirectiveName(token) != "include") continue;
    const std::string_view rest = DirectiveRest(token);
    if (rest.size() > header.size() + 1 && rest.substr(1, header.size()) == header &&
        (rest[header.size() + 1] == '>' || rest[header.size() + 1] == '"')) {
      return true;
    }
  }
  return false;
}

// `#ifndef X`, `#define X` at the begin: what is inside is always compiled.
bool HasGuard(const Structure& structure) {
  return structure.size() > 1 && DirectiveName(structure.At(0)) == "ifndef" &&
         DirectiveName(structure.At(1)) == "define" &&
         DirectiveRest(structure.At(1)).starts_with(DirectiveRest(structure.At(0)));
}

}  // namespace

std::vector<Insertion> IncludeFor(const Structure& structure, bool scoped) {
  if (Has(structure, Header(scoped)) || Has(structure, Header(true))) return {};
  const int outside = HasGuard(structure) ? 1 : 0;
  const Source& source = structure.source();
  int depth = 0;
  size_t behind = kNone;  // the directive that it goes behind
  bool includes = false;  // inside the outermost #if
  size_t i = 0;
  size_t outermost = kNone;  // the #if that is open there
  for (; i < structure.size() && structure.At(i).kind == TokenKind::kDirective; ++i) {
    const std::string_view name = DirectiveName(structure.At(i));
    if (name.starts_with("if")) {
      if (depth == outside) outermost = i;
      ++depth;
    }
    if (name == "endif") --depth;
    if (name == "include") includes = true;
    if (depth == outside && includes) {
      behind = i;
      includes = false;
    }
  }
  Insertion include;
  const bool windows =
      source.lines.size() > 2 && source.lines[1] > 1 && source.text[source.lines[1] - 2] == '\r';
  include.text = fmt::format("#include <{}>{}", Header(scoped), windows ? "\r\n" : "\n");
  if (behind != kNone) {
    include.offset = source.lines[structure.At(behind).last_line];
  } else {
    const size_t before = depth > outside ? outermost : i;
    include.offset = before < structure.size() ? source.lines[structure.At(before).line - 1] : 0;
  }
  if (include.offset == 0 && source.text.starts_with(kByteOrderMark)) {
    include.offset = kByteOrderMark.size();
  }
  return {include};
}

}  // namespace roofmark::suggest
