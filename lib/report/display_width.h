// SPDX-License-Identifier: BSD-3-Clause
//
// How many columns of a terminal a text takes. East Asian characters and most emoji take two,
// characters that join the one before them take none.
#ifndef ROOFMARK_LIB_REPORT_DISPLAY_WIDTH_H_
#define ROOFMARK_LIB_REPORT_DISPLAY_WIDTH_H_

#include <cstddef>
#include <string_view>

namespace roofmark {

// Columns of UTF-8 text; a byte that is no UTF-8 takes one. Costs a search in a table for each
// character beyond ASCII.
size_t DisplayWidth(std::string_view text);

// Bytes of the longest beginning of `text` that takes at most `columns`, with all characters that
// join its last one.
size_t BytesOfBeginning(std::string_view text, size_t columns);

// Bytes of the longest end of `text` that takes at most `columns`, and begins with a character that
// takes some.
size_t BytesOfEnd(std::string_view text, size_t columns);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DISPLAY_WIDTH_H_
