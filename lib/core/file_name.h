// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_FILE_NAME_H_
#define ROOFMARK_LIB_CORE_FILE_NAME_H_

#include <string_view>

namespace roofmark {

// Of a path, what stands behind its folders.
constexpr std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FILE_NAME_H_
