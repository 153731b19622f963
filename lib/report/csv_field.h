// SPDX-License-Identifier: BSD-3-Clause
//
// Texts as fields of CSV.
#ifndef ROOFMARK_LIB_REPORT_CSV_FIELD_H_
#define ROOFMARK_LIB_REPORT_CSV_FIELD_H_

#include <string>
#include <string_view>

namespace roofmark {

// A text as a field, quoted after RFC 4180 where it must be. One that a spreadsheet would take for
// a formula (it begins with = + - @, a tab or a carriage return) gets an apostrophe before it.
std::string CsvField(std::string_view text);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CSV_FIELD_H_
