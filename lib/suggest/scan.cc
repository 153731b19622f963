// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/scan.h"

#include <algorithm>
#include <string>

#include "lib/core/trim.h"

namespace roofmark::suggest {
namespace {

bool IsWordCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    source_.text = text;
    if (text.starts_with(kByteOrderMark)) at_ = start_ = kByteOrderMark.size();
  }

  Source Run() {
    FindLines();
    while (at_ < text_.size()) Step();
    return std::move(source_);
  }

 private:
  void FindLines() {
    source_.lines.push_back(0);
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n' && i + 1 < text_.size()) source_.lines.push_back(i + 1);
    }
    source_.goes_on.resize(source_.lines.size());
    source_.lines.push_back(text_.size());
  }

  char At(size_t place) const { return place < text_.size() ? text_[place] : '\0'; }
  bool StartsWith(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  // The line of a place, in the order of places.
  uint32_t LineAt(size_t place) {
    while (line_ + 1 < source_.lines.size() - 1 && source_.lines[line_ + 1] <= place) ++line_;
    return static_cast<uint32_t>(line_ + 1);
  }
  void GoTo(size_t end) {
    const uint32_t first = LineAt(at_);
    at_ = std::min(end, text_.size());
    const uint32_t last = LineAt(at_ > 0 ? at_ - 1 : 0);
    for (uint32_t line = first; line < last; ++line) source_.goes_on[line - 1] = true;
  }
  void Take(TokenKind kind, size_t end) {
    Token token{kind, text_.substr(at_, end - at_), at_, LineAt(at_), 0};
    GoTo(end);
    token.last_line = LineAt(at_ > 0 ? at_ - 1 : 0);
    source_.tokens.push_back(token);
  }

  // Behind a line that a backslash at its end does not continue; the line's end is left.
  size_t EndOfLogicalLine(size_t from) const {
    for (size_t i = from; i < text_.size(); ++i) {
      if (text_[i] != '\n') continue;
      const size_t before = i > 0 && text_[i - 1] == '\r' ? i - 1 : i;
      if (before == 0 || text_[before - 1] != '\\') return before;
    }
    return text_.size();
  }
  size_t Behind(std::string_view what, size_t from) const {
    const size_t found = text_.find(what, from);
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }
  // A comment in a directive may go on in further lines.
  size_t EndOfDirective() const {
    size_t from = at_;
    while (true) {
      const size_t end = EndOfLogicalLine(from);
      const size_t comment = text_.substr(0, end).find("/*", from);
      const size_t line_comment = text_.substr(0, end).find("//", from);
      if (comment >= end || line_comment < comment) return end;
      from = Behind("*/", comment + 2);
      if (from >= text_.size()) return text_.size();
    }
  }
  size_t EndOfQuoted(size_t quote) const {
    const char mark = text_[quote];
    for (size_t i = quote + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == mark) {
        return i + 1;
      } else if (text_[i] == '\n') {
        return i;  // no text: an apostrophe in code that is left out
      }
    }
    return text_.size();
  }
  size_t EndOfRaw(size_t quote) const {
    const size_t open = text_.find('(', quote);
    if (open == std::string_view::npos) return text_.size();
    const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    return Behind(close, open);
  }
  size_t EndOfWord() const {
    size_t end = at_;
    const bool number = IsDigit(text_[at_]);
    while (end < text_.size() && (IsWordCharacter(text_[end]) ||
                                  (number && text_[end] == '\'' && IsWordCharacter(At(end + 1))) ||
                                  (number && text_[end] == '.'))) {
      ++end;
    }
    return end;
  }
  static bool IsRawPrefix(std::string_view word) {
    return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
  }
  static bool IsPrefix(std::string_view word) {
    return word == "u8" || word == "u" || word == "U" || word == "L";
  }

  bool FirstOfLine() const {
    const size_t begin = text_.rfind('\n', at_ == 0 ? 0 : at_ - 1);
    const size_t first = at_ == 0 || begin == std::string_view::npos ? start_ : begin + 1;
    return Trim(text_.substr(first, at_ - first)).empty();
  }

  void TakeWord() {
    const size_t end = EndOfWord();
    const std::string_view word = text_.substr(at_, end - at_);
    if (At(end) == '"' && IsRawPrefix(word)) return Take(TokenKind::kLiteral, EndOfRaw(end));
    if ((At(end) == '"' || At(end) == '\'') && IsPrefix(word)) {
      return Take(TokenKind::kLiteral, EndOfQuoted(end));
    }
    Take(TokenKind::kWord, end);
  }

  void Step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v')
      return GoTo(at_ + 1);
    if (c == '\\') return GoTo(at_ + 1);
    if (StartsWith("//")) return GoTo(EndOfLogicalLine(at_));
    if (StartsWith("/*")) return GoTo(Behind("*/", at_ + 2));
    if (c == '#' && FirstOfLine()) return Take(TokenKind::kDirective, EndOfDirective());
    if (c == '"' || c == '\'') return Take(TokenKind::kLiteral, EndOfQuoted(at_));
    if (IsWordCharacter(c)) return TakeWord();
    Take(TokenKind::kPunctuation, at_ + (StartsWith("::") ? 2 : 1));
  }

  std::string_view text_;
  Source source_;
  size_t at_ = 0, start_ = 0, line_ = 0;
};

}  // namespace

Source Scan(std::string_view text) { return Scanner(text).Run(); }

std::string_view DirectiveName(const Token& token) {
  if (token.kind != TokenKind::kDirective) return {};
  const std::string_view rest = Trim(token.text.substr(1));
  size_t end = 0;
  while (end < rest.size() && IsWordCharacter(rest[end])) ++end;
  return rest.substr(0, end);
}

std::string_view DirectiveRest(const Token& token) {
  const std::string_view name = DirectiveName(token);
  if (name.empty()) return {};
  return Trim(token.text.substr(static_cast<size_t>(name.end() - token.text.begin())));
}

}  // namespace roofmark::suggest
