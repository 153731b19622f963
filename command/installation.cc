// SPDX-License-Identifier: BSD-3-Clause
#include "command/installation.h"

#include <fmt/format.h>

#include <filesystem>

namespace roofmark::cli {

namespace fs = std::filesystem;

namespace {

constexpr char kVersion[] = ROOFMARK_VERSION_TEXT;
// By this name programs load it too. The name without a version is there for compilers only, and
// may lead to another version.
constexpr char kLibrary[] = "libroofmark.so." ROOFMARK_ABI;

}  // namespace

std::string OwnVersion() { return kVersion; }

std::string CommandPath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

std::string LibraryPath() {
  std::error_code error;
  const fs::path bin = fs::path(CommandPath()).parent_path();
  for (const char* place : {"../" ROOFMARK_LIBDIR, "../lib"}) {
    const fs::path path = bin / place / kLibrary;
    if (fs::exists(path, error)) return fs::canonical(path, error);
  }
  return {};
}

std::string LibraryBeside(const std::string& name) {
  std::error_code error;
  const fs::path path =
      fs::path(LibraryPath()).parent_path() / ("libroofmark_" + name + ".so." ROOFMARK_ABI);
  return fs::exists(path, error) ? path.string() : "";
}

namespace {

std::string InPluginFolder(const char* name) {
  const std::string library = LibraryPath();
  return library.empty() ? "" : fs::path(library).parent_path() / ROOFMARK_PLUGIN_FOLDER / name;
}

}  // namespace

std::string ToolFolder() { return InPluginFolder("valgrind"); }

std::string GpuKernels() {
  std::error_code error;
  const std::string path = InPluginFolder("gpu_kernels.fatbin");
  return fs::exists(path, error) ? path : "";
}

std::string OtherVersionBeside() {
  const std::string library = LibraryPath();
  const size_t at = library.rfind(".so.");
  if (at == std::string::npos) return {};
  const std::string version = library.substr(at + 4);
  if (version == kVersion) return {};
  return fmt::format(
      "this command is roofmark {}, but {} beside it is {}; install both from one "
      "version",
      kVersion, library, version);
}

std::string OtherVersionIn(const std::string& recorded) {
  if (recorded.empty() || recorded == kVersion) return {};
  return fmt::format(
      "this command is roofmark {}, but the program was recorded by the library of roofmark {}; "
      "`ldd PROGRAM` shows which libroofmark.so it takes",
      kVersion, recorded);
}

}  // namespace roofmark::cli
