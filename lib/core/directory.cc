// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "lib/core/descriptor.h"
#include "lib/core/file.h"

namespace roofmark {

Result<Directory> Directory::Open(const std::string& path, Links links) {
  const int follow = links == Links::kRefuse ? O_NOFOLLOW : 0;
  const int fd = MoveAbove(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | follow));
  if (fd >= 0) return Directory(fd, path);
  // Of a link that is not followed the kernel says that it is no directory.
  return Error{fmt::format("{}: {}", path, std::strerror(errno))};
}

Directory::~Directory() {
  if (descriptor_ >= 0) close(descriptor_);
}

Directory::Directory(Directory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

std::string Directory::WhyUnsafe() const {
  struct stat info;
  if (fstat(descriptor_, &info) != 0) return fmt::format("{}: {}", path_, std::strerror(errno));
  const bool for_all = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (info.st_uid != geteuid() && info.st_uid != 0) {
    return fmt::format("{} belongs to another user", path_);
  }
  if (for_all && (info.st_mode & S_ISVTX) == 0) {
    return fmt::format("{} can be written by others", path_);
  }
  return {};
}

bool Directory::IsPrivate() const { return roofmark::IsPrivate(descriptor_); }

namespace {

int OpenOutOfTheWay(const std::string& path) {
  return MoveOutOfTheWay(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

KeptDirectory::~KeptDirectory() { open_.Close(); }

bool KeptDirectory::Keep(const std::string& path) noexcept try {
  const std::lock_guard lock(mutex_);
  const int fd = OpenOutOfTheWay(path);
  if (fd < 0) return false;
  file_ = OpenFile::Of(fd);
  open_ = KnownDescriptor(fd);
  name_ = ReadLink(fmt::format("/proc/thread-self/fd/{}", fd));
  stays_open_ = name_.empty() || !FilesAreFew();
  if (!stays_open_) {
    open_ = {};
    close(fd);
  }
  return true;
} catch (...) {
  return false;
}

OpenDirectory KeptDirectory::Open() noexcept try {
  const std::lock_guard lock(mutex_);
  if (open_.IsOpen()) return {open_.number(), nullptr};
  errno = ENOENT;
  const int opened = name_.empty() ? -1 : OpenOutOfTheWay(name_);
  if (opened < 0) return {};
  if (OpenFile::Of(opened) != file_) {
    close(opened);
    errno = ENOENT;
    return {};
  }
  if (!stays_open_) {
    return {opened, std::shared_ptr<const void>(nullptr, [opened](auto) { close(opened); })};
  }
  open_ = KnownDescriptor(opened);
  return {opened, nullptr};
} catch (...) {
  return {};
}

bool KeptDirectory::Is(const std::string& path) const noexcept {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && OpenFile::Of(info) == file_;
}

Result<std::vector<std::string>> ListNames(const std::string& directory) {
  const auto close = [](DIR* opened) { closedir(opened); };
  const std::unique_ptr<DIR, decltype(close)> open(opendir(directory.c_str()), close);
  if (open == nullptr) return Error{std::strerror(errno)};
  std::vector<std::string> names;
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string TemporaryDirectory() {
  const char* chosen = std::getenv("TMPDIR");
  for (const char* place : {chosen, "/tmp", "/var/tmp", "/dev/shm"}) {
    struct stat info;
    if (place == nullptr || stat(place, &info) != 0 || !S_ISDIR(info.st_mode)) continue;
    if (access(place, W_OK | X_OK) == 0) return place;
  }
  return "/tmp";
}

std::string UserCacheFolder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return std::string(cache) + "/roofmark";  // the specification wants relative ones ignored
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::string(home) + "/.cache/roofmark";
  }
  return {};
}

}  // namespace roofmark
