// SPDX-License-Identifier: BSD-3-Clause
//
// A table of texts, made once for the terminal and for Markdown.
#ifndef ROOFMARK_LIB_REPORT_GRID_H_
#define ROOFMARK_LIB_REPORT_GRID_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark {

struct Grid {
  std::vector<std::string> head;
  // As many cells as the head has. The first one is a name and stands at the left; it may be any
  // text. Others stand at the right, and hold no foreign text.
  std::vector<std::vector<std::string>> rows;
};

// Lines of at most `width` columns where the columns allow it: those that do not fit follow in
// further blocks, each with the names. Long names are shortened.
std::string GridText(const Grid& grid, size_t width, bool unicode);

// A table of GitHub's Markdown. Names are code.
std::string GridMarkdown(const Grid& grid);

// Any text as code within a line or a cell: nothing in it is markup, a link or a mention. Control
// characters are shown.
std::string MarkdownCode(std::string_view text);
// A sentence with foreign names in it as plain text.
std::string MarkdownSentence(std::string_view text);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_GRID_H_
