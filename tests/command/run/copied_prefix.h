// SPDX-License-Identifier: BSD-3-Clause
//
// An installation of its own under any name, of the files that were built: command, libraries, and
// the folder of plug-ins.
#ifndef ROOFMARK_TESTS_COMMAND_RUN_COPIED_PREFIX_H_
#define ROOFMARK_TESTS_COMMAND_RUN_COPIED_PREFIX_H_

#include <filesystem>
#include <string>

namespace roofmark::test {

// The same file where that can be: the command is large.
inline void LinkOrCopy(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code cannot;
  std::filesystem::create_hard_link(from, to, cannot);
  if (cannot) std::filesystem::copy_file(from, to);
}

// `command` and `library` as they were built; the others lie beside the library.
inline void CopyPrefix(const std::filesystem::path& command, const std::filesystem::path& library,
                       const std::filesystem::path& prefix) {
  namespace fs = std::filesystem;
  fs::create_directories(prefix / "bin");
  fs::create_directories(prefix / "lib");
  LinkOrCopy(command, prefix / "bin" / "roofmark");
  for (const fs::directory_entry& entry : fs::directory_iterator(library.parent_path())) {
    const std::string name = entry.path().filename();
    const bool is_plugin_folder = name.starts_with("roofmark-");
    if (!is_plugin_folder && !name.starts_with("libroofmark")) continue;
    const fs::path copy = prefix / "lib" / name;
    if (is_plugin_folder) {
      fs::create_directory_symlink(entry.path(), copy);
    } else if (entry.is_symlink()) {
      fs::copy_symlink(entry.path(), copy);
    } else if (entry.is_regular_file()) {
      LinkOrCopy(entry.path(), copy);
    }
  }
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_COMMAND_RUN_COPIED_PREFIX_H_
