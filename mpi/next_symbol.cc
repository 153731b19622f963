// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/next_symbol.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <initializer_list>

namespace roofmark::mpi {
namespace {

bool IsLibrary(const char* path, const char* begin) {
  const char* slash = std::strrchr(path, '/');
  return std::strncmp(slash == nullptr ? path : slash + 1, begin, std::strlen(begin)) == 0;
}

constexpr char kStandardAbi[] = "libmpi_abi.";

int IsMpi(dl_phdr_info* info, size_t, void* found) {
  for (const char* begin : {"libmpi.", "libmpich.", kStandardAbi}) {
    if (!IsLibrary(info->dlpi_name, begin)) continue;
    *static_cast<const char**>(found) = info->dlpi_name;
    return 1;
  }
  return 0;
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

bool HasStandardAbi() {
  const void* symbol = NextSymbol("MPI_Get_library_version");
  Dl_info info;
  return symbol != nullptr && dladdr(symbol, &info) != 0 && info.dli_fname != nullptr &&
         IsLibrary(info.dli_fname, kStandardAbi);
}

}  // namespace roofmark::mpi
