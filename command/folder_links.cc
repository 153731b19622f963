// SPDX-License-Identifier: BSD-3-Clause
#include "command/folder_links.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "lib/core/directory.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/path_list.h"

namespace roofmark::cli {
namespace {

// No other user can make, replace or remove anything in it.
bool OnlyWeWrite(const std::string& folder) {
  struct stat info;
  return stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// A new directory for links; empty if there is no place for one.
std::string NewPlaceIn(const std::string& folder) {
  if (!FitsInPathList(folder) || !OnlyWeWrite(folder)) return {};
  std::string place = folder + "/links.XXXXXX";
  return mkdtemp(place.data()) == nullptr ? std::string() : place;
}

}  // namespace

FolderLinks::~FolderLinks() {
  if (place_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(place_, ignored);  // removes the links, not what they name
}

Result<std::string> FolderLinks::To(const std::string& folder) {
  std::error_code error;
  const std::string absolute = folder.empty() ? "" : std::filesystem::absolute(folder, error);
  if (folder.empty() || FitsInPathList(absolute)) return absolute;
  if (place_.empty()) {
    const std::string cache = UserCacheFolder();
    if (FitsInPathList(cache)) std::filesystem::create_directories(cache, error);
    place_ = NewPlaceIn(cache);
  }
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (place_.empty() && on_this_node_ && runtime != nullptr) place_ = NewPlaceIn(runtime);
  const std::string link = fmt::format("{}/{}", place_, links_++);
  if (place_.empty() || symlink(absolute.c_str(), link.c_str()) != 0) {
    return Error{InWords(message::kNoLinkToFolder, absolute)};
  }
  return link;
}

}  // namespace roofmark::cli
