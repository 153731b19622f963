// SPDX-License-Identifier: BSD-3-Clause
//
// Texts as fields of CSV.
#ifndef ROOFMARK_LIB_REPORT_CSV_FIELD_H_
#define ROOFMARK_LIB_REPORT_CSV_FIELD_H_

#include <string>
#include <string_view>

namespace roofmark {

// Quoted after RFC 4180 where it must be. A text that a spreadsheet would take for a formula (it
// begins with = + - @, a tab or a carriage return) begins with an apostrophe.
std::string CsvField(std::string_view text);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CSV_FIELD_H_
