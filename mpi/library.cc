// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "lib/core/messages/mpi.h"

namespace roofmark::mpi {

std::string PluginDirectory() {
  static const char anchor = 0;
  Dl_info info;
  if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string path = info.dli_fname;
  const size_t slash = path.rfind('/');
  return (slash == std::string::npos ? std::string(".") : path.substr(0, slash)) +
         "/" ROOFMARK_PLUGIN_FOLDER;
}

std::string LibraryVersion(VersionFunction* version) {
  if (version == nullptr) version = Next<VersionFunction>("MPI_Get_library_version");
  if (version == nullptr) return {};
  std::vector<char> text(16384, '\0');  // the largest MPI_MAX_LIBRARY_VERSION_STRING is 8192
  int length = 0;
  if (version(text.data(), &length) != 0) return {};
  const std::string all(text.data());
  std::string line = all.substr(0, all.find('\n'));
  std::replace(line.begin(), line.end(), '\t', ' ');  // "MPICH Version:\t4.0.2"
  return line;
}

std::string FamilyOf(const std::string& version) {
  const auto contains = [&](const char* word) { return version.find(word) != std::string::npos; };
  if (contains("Open MPI")) return "openmpi";
  if (contains("MPICH") || contains("Intel(R) MPI") || contains("MVAPICH")) return "mpich";
  return {};
}

Result<const Plugin*> LoadPlugin(const std::string& version, const std::string& directory) {
  const std::string family = FamilyOf(version);
  if (family.empty()) {
    return Error{InWords(message::kUnknownMpi, version)};
  }
  if (HasStandardAbi()) {
    return Error{InWords(message::kStandardAbi)};
  }
  LoadedMpi(true);  // the plug-in's calls bind globally
  const std::string path = fmt::format("{}/libroofmark_mpi_{}.so", directory, family);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return Error{InWords(message::kNoPlugin, dlerror(), family)};
  }
  const auto entry = reinterpret_cast<PluginEntry>(dlsym(handle, kPluginEntry));
  const Plugin* plugin = entry == nullptr ? nullptr : entry();
  if (plugin == nullptr || plugin->version != kPluginVersion) {
    return Error{InWords(message::kPluginOfOtherVersion, path)};
  }
  return plugin;
}

}  // namespace roofmark::mpi
