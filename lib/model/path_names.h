// SPDX-License-Identifier: BSD-3-Clause
//
// The path of a region as patterns of regions take it (lib/core/region_choice.h).
#ifndef ROOFMARK_LIB_MODEL_PATH_NAMES_H_
#define ROOFMARK_LIB_MODEL_PATH_NAMES_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profile/region_name.h"

namespace roofmark {

// The names of its regions, outermost first, unescaped.
inline std::vector<std::string> PathNames(std::string_view path) {
  std::vector<std::string> names;
  for (; !path.empty(); path = ParentPath(path)) names.push_back(LeafName(path));
  std::reverse(names.begin(), names.end());
  return names;
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_PATH_NAMES_H_
