// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/csv_field.h"

namespace roofmark {

std::string CsvField(std::string_view text) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  std::string field;
  if (!text.empty() && kFormula.find(text[0]) != std::string_view::npos) field = "'";
  field += text;
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace roofmark
