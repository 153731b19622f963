// SPDX-License-Identifier: BSD-3-Clause
//
// C and C++ source as tokens: as much of the language as it takes to tell code from comments, texts
// and directives. Nothing is expanded or included.
#ifndef ROOFMARK_LIB_SUGGEST_SCAN_H_
#define ROOFMARK_LIB_SUGGEST_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace roofmark::suggest {

// Some editors write it in front of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

enum class TokenKind : uint8_t {
  kWord,         // identifiers, keywords, numbers
  kLiteral,      // of characters
  kPunctuation,  // one character, but for "::"
  kDirective,    // from '#' to the end of its last line
};

struct Token {
  TokenKind kind = TokenKind::kWord;
  std::string_view text;
  size_t begin = 0;
  uint32_t line = 1, last_line = 1;

  size_t end() const { return begin + text.size(); }
  bool Is(std::string_view what) const { return kind != TokenKind::kLiteral && text == what; }
};

struct Source {
  std::string_view text;
  std::vector<Token> tokens;
  // By line: where it begins. One more at the end, which has the size of the text.
  std::vector<size_t> lines;
  // By line: a comment, text or directive goes on behind its end.
  std::vector<bool> goes_on;
};

// The text must outlive what is returned.
Source Scan(std::string_view text);

// "pragma" of "# pragma omp parallel for"; empty if it is no directive.
std::string_view DirectiveName(const Token& token);
// What follows the name.
std::string_view DirectiveRest(const Token& token);

}  // namespace roofmark::suggest

#endif  // ROOFMARK_LIB_SUGGEST_SCAN_H_
