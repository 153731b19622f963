// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/shell_word.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/terminal_text.h"

namespace roofmark {
namespace {

bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// In octal, whose three digits end where a letter of the word begins.
std::string InEscapes(std::string_view word) {
  std::string quoted = "$'";
  for (const char c : word) {
    const bool plain = c >= ' ' && c <= '~' && c != '\'' && c != '\\';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return quoted + "'";
}

}  // namespace

std::string ShellWord(std::string_view word) {
  constexpr std::string_view kUnquoted = "-_./=:,+@%";
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    return IsLetterOrDigit(c) || kUnquoted.find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(word);
  if (Printable(word) != word) return InEscapes(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace roofmark
