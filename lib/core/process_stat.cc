// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/process_stat.h"

#include <charconv>
#include <string_view>

#include "lib/core/file.h"

namespace roofmark {

// The name before the state, in parentheses, may hold anything.
ProcessStat ReadProcessStat(const std::string& process) {
  ProcessStat stat;
  const Result<std::string> text = ReadFile("/proc/" + process + "/stat");
  const size_t close = text ? text->rfind(')') : std::string::npos;
  if (close == std::string::npos || close + 2 >= text->size()) return stat;
  size_t at = close + 2;
  stat.state = (*text)[at];
  const char* const end = text->data() + text->size();
  for (int field = 4; field <= 22; ++field) {
    at = text->find(' ', at + 1);
    if (at == std::string::npos) return stat;
    if (field == 4) std::from_chars(text->data() + at + 1, end, stat.parent);
  }
  std::from_chars(text->data() + at + 1, end, stat.started);
  return stat;
}

}  // namespace roofmark
