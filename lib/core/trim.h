// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_TRIM_H_
#define ROOFMARK_LIB_CORE_TRIM_H_

#include <string_view>

namespace roofmark {

// Without the characters of `blank` at both ends.
inline std::string_view Trim(std::string_view text, std::string_view blank = " \t\r\n") {
  const size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_TRIM_H_
