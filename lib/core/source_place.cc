// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/source_place.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace roofmark {
namespace {

FindSourcePlace LoadSourcePlugin() noexcept {
  Dl_info own;
  if (dladdr(reinterpret_cast<const void*>(&LoadSourcePlugin), &own) == 0) return nullptr;
  const char* slash = std::strrchr(own.dli_fname, '/');
  const auto folder = slash == nullptr ? 0 : static_cast<int>(slash + 1 - own.dli_fname);
  char path[PATH_MAX];
  std::snprintf(path, sizeof path, "%.*s" ROOFMARK_PLUGIN_FOLDER "/libroofmark_source.so", folder,
                own.dli_fname);
  void* plugin = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (plugin == nullptr) return nullptr;
  return reinterpret_cast<FindSourcePlace>(dlsym(plugin, kFindSourcePlace));
}

}  // namespace

bool FindMapped(const void* code, MappedPlace& place) noexcept {
  Dl_info info;
  void* map = nullptr;
  if (dladdr1(code, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return false;
  place.offset = reinterpret_cast<uint64_t>(code) - reinterpret_cast<uint64_t>(info.dli_fbase);
  const char* file = static_cast<const link_map*>(map)->l_name;
  if (*file != '\0') {
    std::snprintf(place.path, sizeof place.path, "%s", file);
    return true;
  }
  // The program itself: what it was called by need not be its path.
  const ssize_t length = readlink("/proc/self/exe", place.path, sizeof place.path - 1);
  if (length <= 0) return false;
  place.path[length] = '\0';
  return true;
}

bool AskForSource(const MappedPlace& code, bool is_body, SourcePlace& place) noexcept {
  static const FindSourcePlace find = LoadSourcePlugin();
  return find != nullptr && find(code.path, code.offset, is_body, &place);
}

}  // namespace roofmark
