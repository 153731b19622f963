// SPDX-License-Identifier: BSD-3-Clause
#include "command/installation.h"

#include <filesystem>

namespace roofmark::cli {

namespace fs = std::filesystem;

std::string CommandPath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

std::string LibraryPath() {
  std::error_code error;
  const fs::path bin = fs::path(CommandPath()).parent_path();
  for (const char* place : {"../" ROOFMARK_LIBDIR "/libroofmark.so", "../lib/libroofmark.so"}) {
    const fs::path path = bin / place;
    if (fs::exists(path, error)) return fs::canonical(path, error);
  }
  return {};
}

std::string LibraryBeside(const std::string& name) {
  std::error_code error;
  const fs::path path = fs::path(LibraryPath()).parent_path() / ("libroofmark_" + name + ".so");
  return fs::exists(path, error) ? path.string() : "";
}

std::string ToolFolder() {
  const std::string library = LibraryPath();
  return library.empty() ? "" : fs::path(library).parent_path() / "roofmark/valgrind";
}

}  // namespace roofmark::cli
