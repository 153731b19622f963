// SPDX-License-Identifier: BSD-3-Clause
//
// Folders of libraries and tools, under names that a list of paths (lib/core/path_list.h) can hold:
// where their own has a blank or a colon, by a link.
#ifndef ROOFMARK_COMMAND_FOLDER_LINKS_H_
#define ROOFMARK_COMMAND_FOLDER_LINKS_H_

#include <cstddef>
#include <string>

#include "lib/core/result.h"

namespace roofmark::cli {

// The links lie in a new directory for this user alone and vanish with this. That directory is made
// where no other user can make files, so that processes that live longer find no foreign one of its
// name.
class FolderLinks {
 public:
  // `on_this_node`: no process needs them on another one, where only the user's cache may be seen.
  explicit FolderLinks(bool on_this_node) : on_this_node_(on_this_node) {}
  ~FolderLinks();
  FolderLinks(const FolderLinks&) = delete;
  FolderLinks& operator=(const FolderLinks&) = delete;

  // The folder itself, or a link to it. Error: a sentence with the cure.
  Result<std::string> To(const std::string& folder);

 private:
  const bool on_this_node_;
  std::string place_;  // empty: no link was needed
  size_t links_ = 0;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_FOLDER_LINKS_H_
