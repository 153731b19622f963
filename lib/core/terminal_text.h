// SPDX-License-Identifier: BSD-3-Clause
//
// Names, paths and messages that reach a terminal must not be able to control it, nor to show
// another text than they are.
#ifndef ROOFMARK_LIB_CORE_TERMINAL_TEXT_H_
#define ROOFMARK_LIB_CORE_TERMINAL_TEXT_H_

#include <string>
#include <string_view>

namespace roofmark {

// One line: control characters (of one byte or two) and bytes that are not UTF-8 become \xHH;
// characters that turn the direction of writing or break the line become \u{HHHH}.
std::string Printable(std::string_view text);

// The same for several lines, which stay apart.
std::string PrintableLines(std::string_view text);
// True if PrintableLines() would change nothing: no allocation.
bool IsPrintable(std::string_view text);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_TERMINAL_TEXT_H_
