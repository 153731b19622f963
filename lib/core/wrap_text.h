// SPDX-License-Identifier: BSD-3-Clause
//
// Breaks text into lines, for the terminal and for generated pages.
#ifndef ROOFMARK_LIB_CORE_WRAP_TEXT_H_
#define ROOFMARK_LIB_CORE_WRAP_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace roofmark {

// The words of `text`, which begins at column `first`. A line that would pass column `width` is
// broken at a space, and the text continues at column `indent`. A line has room for 30 characters
// even where `width` is too small; a longer word is not broken. Columns count bytes.
std::string WrapText(std::string_view text, size_t first, size_t indent, size_t width);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_WRAP_TEXT_H_
