// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/chain.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>
#include <vector>

namespace roofmark::mpi {
namespace {

// libmpi.so.40, libmpich.so.12, libmpi_mpifh.so.40, libmpichfort.so.12, libmpi_cray.so.12 ...
int CollectIfMpi(dl_phdr_info* info, size_t, void* names) {
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (file.substr(0, 6) == "libmpi" && file.find(".so") != file.npos) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(path);
  }
  return 0;
}

// Libraries are not opened inside the walk, which holds the loader's lock.
std::vector<std::string> LoadedMpiLibraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(&CollectIfMpi, &names);
  return names;
}

}  // namespace

void* NextSymbol(const char* name) {
  if (void* symbol = dlsym(RTLD_NEXT, name)) return symbol;
  for (const std::string& library : LoadedMpiLibraries()) {
    void* handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    void* symbol = dlsym(handle, name);
    dlclose(handle);  // gives back only our own count: the library stays
    if (symbol != nullptr) return symbol;
  }
  return nullptr;
}

void ExposeMpi() {
  if (dlsym(RTLD_DEFAULT, "PMPI_Comm_rank") != nullptr) return;
  for (const std::string& library : LoadedMpiLibraries()) {
    dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  }
}

}  // namespace roofmark::mpi
