// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/report/display_width.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

constexpr size_t kBetween = 2, kLeastName = 12, kMostGridName = 48;

std::vector<size_t> WidthsOf(const Grid& grid) {
  std::vector<size_t> widths;
  for (size_t c = 0; c < grid.head.size(); ++c) {
    size_t width = DisplayWidth(grid.head[c]);
    for (const auto& row : grid.rows) width = std::max(width, DisplayWidth(row[c]));
    widths.push_back(width);
  }
  return widths;
}

std::string LineOf(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                   size_t begin, size_t end, std::string_view mark) {
  std::string line = PadRight(Shorten(cells[0], widths[0], mark), widths[0]);
  for (size_t c = begin; c < end; ++c) {
    line += std::string(kBetween, ' ') + PadLeft(cells[c], widths[c]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

bool IsPunctuation(char c) {
  constexpr std::string_view kAll = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  return kAll.find(c) != std::string_view::npos;
}

}  // namespace

std::string GridText(const Grid& grid, size_t width, bool unicode) {
  std::vector<size_t> widths = WidthsOf(grid);
  if (widths.empty()) return {};
  size_t others = 0;
  for (size_t c = 1; c < widths.size(); ++c) others += widths[c] + kBetween;
  const size_t room =
      width > others + kLeastName ? width - others : std::min(width / 3, kMostGridName);
  widths[0] = std::min({widths[0], kMostGridName, std::max(room, kLeastName)});
  std::string out;
  for (size_t begin = 1; begin < widths.size() || out.empty();) {
    size_t end = begin, taken = widths[0];
    while (end < widths.size() && (end == begin || taken + kBetween + widths[end] <= width)) {
      taken += kBetween + widths[end++];
    }
    if (!out.empty()) out += "\n";
    const std::string_view mark = unicode ? "…" : "..";
    out += LineOf(grid.head, widths, begin, end, mark);
    for (const auto& row : grid.rows) out += LineOf(row, widths, begin, end, mark);
    begin = std::max(end, size_t{1});
    if (widths.size() == 1) break;
  }
  return out;
}

std::string MarkdownCode(std::string_view text) {
  const std::string shown = Printable(text);
  const bool plain = !shown.empty() && shown.find_first_of("`|\\") == std::string::npos &&
                     shown.front() != ' ' && shown.back() != ' ';
  if (plain) return "`" + shown + "`";
  // No rule of tables or of code applies to a character that is written as its number.
  std::string out = "<code>";
  for (const char c : shown) {
    if (IsPunctuation(c)) {
      out += fmt::format("&#{};", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + "</code>";
}

std::string MarkdownSentence(std::string_view text) {
  // What could begin markup, a link, a mention or a reference.
  constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~&@!$";
  std::string out;
  for (const char c : Printable(text)) {
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    out += c;
    // A name of a person, or the number of a discussion, needs what follows right behind it.
    if (c == '@' || c == '#') out += "\u200b";
  }
  for (size_t at = 0; (at = out.find("://", at)) != std::string::npos; at += 3) {
    out.insert(at + 1, "\u200b");
  }
  return out;
}

std::string GridMarkdown(const Grid& grid) {
  std::string out, rule;
  for (size_t c = 0; c < grid.head.size(); ++c) {
    out += "| " + MarkdownSentence(grid.head[c]) + " ";
    rule += c == 0 ? "|---" : "|---:";
  }
  out += "|\n" + rule + "|\n";
  for (const auto& row : grid.rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      out += "| " + (c == 0 ? MarkdownCode(row[c]) : MarkdownSentence(row[c])) + " ";
    }
    out += "|\n";
  }
  return out;
}

}  // namespace roofmark
