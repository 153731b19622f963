// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_MARKERS_ADAPTERS_FORTRAN_TEXT_H_
#define ROOFMARK_MARKERS_ADAPTERS_FORTRAN_TEXT_H_

#include <cstddef>
#include <string_view>

namespace roofmark::adapters {

// A Fortran string of `length` bytes without the blanks that pad it. Compilers hand over lengths of
// 32 or 64 bits, in a register of which tools in C read 32.
inline std::string_view Trimmed(const char* text, int length) {
  if (text == nullptr || length <= 0) return {};
  const std::string_view all(text, static_cast<size_t>(length));
  const size_t last = all.find_last_not_of(' ');
  return all.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_FORTRAN_TEXT_H_
