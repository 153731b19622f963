// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/cuda_files.h"

#include <fmt/format.h>

#include <cstdlib>

namespace roofmark {

std::vector<std::string> CudaFiles(std::span<const char* const> names,
                                   std::span<const char* const> places) {
  std::vector<std::string> files(names.begin(), names.end());
  std::vector<std::string> homes;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(variable); home != nullptr && *home == '/') {
      homes.emplace_back(home);
    }
  }
  homes.emplace_back("/usr/local/cuda");
  for (const std::string& home : homes) {
    for (const char* place : places) {
      for (const char* name : names) files.push_back(fmt::format("{}/{}/{}", home, place, name));
    }
  }
  return files;
}

}  // namespace roofmark
