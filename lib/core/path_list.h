// SPDX-License-Identifier: BSD-3-Clause
//
// Variables that hold several paths: LD_PRELOAD, to which the counting engine adds files of its
// own, is divided at blanks and colons, and Kokkos' list of tools at semicolons. What is behind
// such a character would be another path, of the working directory: the code of others. In all
// paths the dynamic linker replaces words that begin with a dollar sign.
#ifndef ROOFMARK_LIB_CORE_PATH_LIST_H_
#define ROOFMARK_LIB_CORE_PATH_LIST_H_

#include <string_view>

namespace roofmark {

// Whether each of them takes `path` for this one path, in any working directory.
constexpr bool FitsInPathList(std::string_view path) noexcept {
  return path.starts_with('/') && path.find_first_of(" :;$") == std::string_view::npos;
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_PATH_LIST_H_
