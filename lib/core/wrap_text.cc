// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/wrap_text.h"

#include <algorithm>

namespace roofmark {

std::string WrapText(std::string_view text, size_t first, size_t indent, size_t width) {
  std::string wrapped;
  size_t column = first;
  const size_t most = std::max(width, indent + 30);
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + end > most) {
      while (!wrapped.empty() && wrapped.back() == ' ') wrapped.pop_back();
      wrapped += "\n" + std::string(indent, ' ');
      column = indent;
    }
    wrapped.append(text.substr(0, end));
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!text.empty()) {
      wrapped += ' ';
      ++column;
    }
  }
  return wrapped;
}

}  // namespace roofmark
