// SPDX-License-Identifier: BSD-3-Clause
#include <link.h>

#include <cstring>

#include "collectors/counting/functions/plan.h"
#include "lib/core/file.h"

namespace roofmark::counting {
namespace {

// The first one is the executable, which has no name; the vDSO has one without a folder.
int Note(dl_phdr_info* info, size_t, void* data) {
  auto& files = *static_cast<std::vector<LoadedFile>*>(data);
  if (files.empty()) {
    const std::string executable = Executable();
    files.push_back({executable, executable, true});
  } else if (std::strchr(info->dlpi_name, '/') != nullptr) {
    const std::string path = RealPath(info->dlpi_name);
    if (!path.empty()) files.push_back({path, info->dlpi_name, false});
  }
  return 0;
}

}  // namespace

std::vector<LoadedFile> LoadedFiles() {
  std::vector<LoadedFile> files;
  dl_iterate_phdr(&Note, &files);
  return files;
}

}  // namespace roofmark::counting
