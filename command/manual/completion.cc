// SPDX-License-Identifier: BSD-3-Clause
#include "command/manual/completion.h"

namespace roofmark::cli {

ValueKind KindOf(const OptionPage& option) {
  if (option.value.empty() && !option.positional) return ValueKind::kNone;
  if (!option.words.empty()) return ValueKind::kWords;
  const std::string& name = option.positional ? option.names[0] : option.value;
  if (name.find("DIR") != std::string::npos) return ValueKind::kDirectory;
  if (option.positional || name.find("FILE") != std::string::npos) return ValueKind::kFile;
  return ValueKind::kOther;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : FirstLine(text)) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string Joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string OptionNames(const CommandPage& page) {
  std::string text;
  for (const OptionPage& option : page.options) {
    if (!option.positional) text += (text.empty() ? "" : " ") + Joined(option.names, " ");
  }
  return text;
}

std::string SubcommandNames(const std::vector<CommandPage>& pages) {
  std::string text;
  for (const CommandPage& page : pages) {
    if (!page.name.empty()) text += (text.empty() ? "" : " ") + page.name;
  }
  return text;
}

}  // namespace roofmark::cli
