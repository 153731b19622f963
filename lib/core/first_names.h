// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_FIRST_NAMES_H_
#define ROOFMARK_LIB_CORE_FIRST_NAMES_H_

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace roofmark {

// "a, b, c", and of more than `most` names "a, b and 3 more".
inline std::string FirstNames(const std::vector<std::string>& names, size_t most) {
  const size_t named = std::min(names.size(), most);
  std::string text = fmt::format("{}", fmt::join(std::span(names).first(named), ", "));
  if (named < names.size()) text += fmt::format(" and {} more", names.size() - named);
  return text;
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FIRST_NAMES_H_
