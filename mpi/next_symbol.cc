// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/next_symbol.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace roofmark::mpi {
namespace {

int IsMpi(dl_phdr_info* info, size_t, void* found) {
  const char* slash = std::strrchr(info->dlpi_name, '/');
  const char* base = slash == nullptr ? info->dlpi_name : slash + 1;
  if (std::strncmp(base, "libmpi.", 7) != 0 && std::strncmp(base, "libmpich.", 9) != 0) return 0;
  *static_cast<const char**>(found) = info->dlpi_name;
  return 1;
}

}  // namespace

void* LoadedMpi(bool visible) {
  const char* path = nullptr;
  dl_iterate_phdr(&IsMpi, &path);
  if (path == nullptr) return nullptr;
  return dlopen(path, RTLD_NOLOAD | RTLD_LAZY | (visible ? RTLD_GLOBAL : RTLD_LOCAL));
}

void* NextSymbol(const char* name) {
  if (void* symbol = dlsym(RTLD_NEXT, name)) return symbol;
  void* mpi = LoadedMpi(false);
  return mpi == nullptr ? nullptr : dlsym(mpi, name);
}

}  // namespace roofmark::mpi
