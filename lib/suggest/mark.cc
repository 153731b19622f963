// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/mark.h"

#include <fmt/format.h>

#include <array>

#include "lib/core/file_name.h"
#include "lib/core/trim.h"

namespace roofmark::suggest {
namespace {

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

// By index of a token: how its line begins and ends.
class Layout {
 public:
  explicit Layout(const Structure& structure) : source_(structure.source()) {}

  std::string NewLine() const {
    const size_t end = source_.text.find('\n');
    const bool both = end != std::string_view::npos && end > 0 && source_.text[end - 1] == '\r';
    return both ? "\r\n" : "\n";
  }
  size_t LineBegin(const Token& token) const { return source_.lines[token.line - 1]; }
  std::string Indent(const Token& token) const {
    const std::string_view line = source_.text.substr(LineBegin(token));
    return std::string(line.substr(0, line.find_first_not_of(" \t")));
  }
  bool FirstInLine(const Token& token) const {
    const size_t begin = LineBegin(token);
    return Trim(source_.text.substr(begin, token.begin - begin)).empty();
  }
  // Nothing but a comment that ends there is behind it.
  bool LastInLine(const Structure& structure, size_t token) const {
    const uint32_t line = structure.At(token).last_line;
    const bool alone = token + 1 >= structure.size() || structure.At(token + 1).line != line;
    return alone && !source_.goes_on[line - 1];
  }
  size_t BehindLine(uint32_t line) const { return source_.lines[line]; }
  bool EndsWithoutNewLine(uint32_t line) const {
    return BehindLine(line) == source_.text.size() && !source_.text.ends_with('\n');
  }

  // `lines` on lines of their own in front of the token's line, or in front of the token.
  Insertion Before(const Token& token, const std::string& indent,
                   const std::vector<std::string>& lines) const {
    std::string text;
    const bool own = FirstInLine(token);
    for (const std::string& line : lines) text += own ? indent + line + NewLine() : line + " ";
    return {own ? LineBegin(token) : token.begin, text, true, 0};
  }
  Insertion Behind(const Structure& structure, size_t token, const std::string& indent,
                   const std::vector<std::string>& lines) const {
    const Token& last = structure.At(token);
    const bool own = LastInLine(structure, token);
    const bool open = own && EndsWithoutNewLine(last.last_line);
    std::string text;
    for (const std::string& line : lines) {
      if (!own) {
        text += " " + line;
      } else {
        text += open ? NewLine() + indent + line : indent + line + NewLine();
      }
    }
    return {own ? BehindLine(last.last_line) : last.end(), text, false, 0};
  }

 private:
  const Source& source_;
};

bool HasLabel(const Structure& structure, const Target& target, std::string_view name) {
  for (size_t i = target.first; i < target.last; ++i) {
    if (structure.Is(i, name) && structure.Is(i + 1, ":")) return true;
  }
  return false;
}

// What leaves the statement so that nothing behind it is executed; empty if nothing does.
std::string LeavesBy(const Structure& structure, const Target& target) {
  for (size_t i = target.first; i <= target.last; ++i) {
    const Token& token = structure.At(i);
    if (token.kind != TokenKind::kWord) continue;
    if (token.text == "goto" && i < target.last &&
        HasLabel(structure, target, structure.At(i + 1).text)) {
      continue;
    }
    if (IsOneOf(token.text, {"return", "goto", "throw", "co_return"})) {
      return fmt::format("line {} leaves it by `{}`", token.line, token.text);
    }
  }
  return "";
}

// Why a function cannot have static variables, which markers are; empty if it can.
std::string WhyNoMarkers(const Structure& structure, size_t brace) {
  if (brace == kNone) return "it is in no function that can be recognised";
  for (size_t i = structure.DeclarationOf(brace); i < brace; ++i) {
    if (structure.At(i).kind == TokenKind::kWord &&
        IsOneOf(structure.At(i).text, {"constexpr", "consteval", "__global__", "__device__"})) {
      return fmt::format("its function is `{}`", structure.At(i).text);
    }
  }
  return "";
}

Marks MarkFunction(const Structure& structure, const Target& target, Language language) {
  const Layout layout(structure);
  const size_t inside = target.first + 1;
  const bool empty = inside == target.last;
  const std::string indent = empty ? layout.Indent(structure.At(target.first)) + "  "
                                   : layout.Indent(structure.At(inside));
  Marks marks;
  marks.scoped = language == Language::kCxx;
  marks.insertions = {layout.Behind(structure, target.first, indent, {"ROOF_FUNCTION;"})};
  return marks;
}

}  // namespace

Language LanguageOf(std::string_view file, const Source& source) {
  const std::string_view name = FileName(file);
  const size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  if (extension == "c") return Language::kC;
  if (IsOneOf(extension, {"cc", "cpp", "cxx", "c++", "C", "cp", "hh", "hpp", "hxx", "h++", "H",
                          "tcc", "ipp", "inl", "cu"})) {
    return Language::kCxx;
  }
  if (!extension.empty() && (extension[0] == 'f' || extension[0] == 'F')) return Language::kFortran;
  if (extension != "h") return Language::kUnknown;
  for (const Token& token : source.tokens) {
    if (IsOneOf(token.text, {"class", "namespace", "template", "::", "constexpr", "operator"})) {
      return Language::kCxx;
    }
  }
  return Language::kC;
}

Result<Marks> MarksFor(const Structure& structure, const Target& target, Language language,
                       const std::string& name) {
  const size_t function = target.is_function ? target.first : structure.FunctionAround(target.code);
  if (std::string why = WhyNoMarkers(structure, function); !why.empty()) return Error{why};
  if (target.is_function) return MarkFunction(structure, target, language);
  const Before before = structure.WhatIsBefore(target.code);
  if (before == Before::kUnclear) return Error{"what is in front of it is not known: a macro?"};
  const std::string leaves = LeavesBy(structure, target);
  if (!leaves.empty() && language == Language::kC) {
    return Error{leaves + ", so that an end would be missed"};
  }
  Marks marks;
  marks.scoped = !leaves.empty();
  const bool braces = marks.scoped || before == Before::kControl;
  std::vector<std::string> begin, end;
  if (braces) begin.emplace_back("{");
  begin.push_back(fmt::format("ROOF_REGION_{}(\"{}\");", marks.scoped ? "SCOPE" : "BEGIN", name));
  if (!marks.scoped) end.push_back(fmt::format("ROOF_REGION_END(\"{}\");", name));
  if (braces) end.emplace_back("}");
  const Layout layout(structure);
  const std::string indent = layout.Indent(structure.At(target.code));
  Insertion opens = layout.Before(structure.At(target.first), indent, begin);
  Insertion closes = layout.Behind(structure, target.last, indent, end);
  opens.other_end = structure.At(target.last).end();
  closes.other_end = structure.At(target.first).begin;
  marks.insertions = {opens, closes};
  return marks;
}

}  // namespace roofmark::suggest
