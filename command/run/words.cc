// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/words.h"

#include <utility>

namespace roofmark::cli {

Result<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool escapes =
        quote == '\0' ? i + 1 < text.size() : quote == '"' && (next == '"' || next == '\\');
    if (c == '\\' && quote != '\'' && escapes) {
      word += text[++i];
      begun = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      begun = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (begun) words.push_back(std::exchange(word, {}));
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote != '\0') return Error{std::string("has a ") + quote + " without its second one"};
  if (begun) words.push_back(std::move(word));
  if (words.empty()) return Error{"has no word; give a command"};
  return words;
}

}  // namespace roofmark::cli
