// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers and names made to fit a column.
#ifndef ROOFMARK_LIB_REPORT_FORMAT_H_
#define ROOFMARK_LIB_REPORT_FORMAT_H_

#include <string>
#include <string_view>

#include "lib/core/terminal_text.h"
#include "lib/model/value.h"

namespace roofmark {

// Three significant digits with an SI prefix: "1.23G", "45.6k", "789", "0.0123" is "12.3m".
std::string Si(double value);
// The same before a unit: "36.2 GB/s", "789 B/s".
std::string SiUnit(double value, std::string_view unit);
// Three significant digits without a prefix where they fit: "0.333", "12.5", "1234".
std::string Plain(double value);
std::string Percent(double fraction);  // "33 %", "0.3 %", "<0.1 %"
// The same with a digit more below ten: "7.5 %".
std::string FinePercent(double fraction);
// Two digits: "1.3", "40".
std::string Factor(double value);
// The same of a gain, with three digits below two: "1.05x", "40x".
std::string GainFactor(double gain);
std::string Seconds(double seconds);  // "1.23 s", "45.6 ms", "7.89 us"

// `render` of the number, "-" where there is none.
std::string OrDash(const Value& value, std::string (*render)(double));

// At most `width` columns, shortened in the middle by `mark`.
std::string Shorten(std::string_view text, size_t width, std::string_view mark);
std::string PadLeft(std::string_view text, size_t width);
std::string PadRight(std::string_view text, size_t width);

// Lines of at most `width` columns, broken at spaces, and inside words that are longer than a line;
// continued lines begin with `indent` spaces, fewer than `width`.
std::string Wrap(std::string_view text, size_t width, size_t indent);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_FORMAT_H_
