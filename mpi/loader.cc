// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/loader.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "mpi/chain.h"

namespace roofmark::mpi {
namespace {

// The folder of plug-ins beside the library that holds this code, links followed if need be.
std::filesystem::path PluginFolder() {
  static const char anchor = 0;
  Dl_info info;
  if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  std::filesystem::path library = info.dli_fname;
  std::error_code ignored;
  if (!std::filesystem::exists(library.parent_path() / "roofmark", ignored)) {
    const auto real = std::filesystem::canonical(library, ignored);
    if (!ignored) library = real;
  }
  return library.parent_path() / "roofmark";
}

}  // namespace

std::string_view AbiFamily(std::string_view version) {
  const auto says = [version](std::string_view word) { return version.find(word) != version.npos; };
  if (says("Open MPI")) return "openmpi";
  // Members of the MPICH ABI compatibility initiative.
  for (std::string_view word : {"MPICH", "MVAPICH", "Intel(R) MPI", "ParaStation MPI"}) {
    if (says(word)) return "mpich";
  }
  return {};
}

std::string MpiVersion() {
  const auto get = Next<int(char*, int*)>("PMPI_Get_library_version");
  if (get == nullptr) return {};
  std::vector<char> text(8193);  // the largest MPI_MAX_LIBRARY_VERSION_STRING there is
  int length = 0;
  if (get(text.data(), &length) != 0) return {};
  const std::string_view version = text.data();
  return std::string(version.substr(0, version.find('\n')));
}

Result<const Plugin*> LoadPlugin(const std::string& version) {
  const std::string_view family = AbiFamily(version);
  if (family.empty()) {
    return Error{fmt::format("no plug-in for this MPI ({})",
                             version.empty() ? "it does not tell its version" : version)};
  }
  ExposeMpi();
  const std::string file = PluginFolder() / fmt::format("libroofmark_mpi_{}.so", family);
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Error{fmt::format("{}", dlerror())};
  const auto entry = reinterpret_cast<PluginEntry>(dlsym(handle, kPluginEntry));
  const Plugin* plugin = entry == nullptr ? nullptr : entry();
  if (plugin == nullptr || plugin->version != kPluginVersion) {
    return Error{fmt::format("{} belongs to another version of roofmark", file)};
  }
  return plugin;
}

}  // namespace roofmark::mpi
