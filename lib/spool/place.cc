// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "lib/core/descriptor.h"
#include "lib/core/directory.h"
#include "lib/core/file.h"
#include "lib/spool/presence.h"

namespace roofmark::spool {
namespace {

constexpr char kMemory[] = "/dev/shm";
// The sticky bit means nothing to a directory that only its owner can enter: it tells the last
// process that it may remove the directory.
constexpr mode_t kOurs = S_ISVTX | 0700;

std::string OwnPrefix() { return fmt::format("roofmark-{}-", geteuid()); }

// Names in memory that all users share are chosen by roofmark: whoever made something of such a
// name before may be anybody.
bool IsDefault(const std::string& directory) {
  return directory.rfind(fmt::format("{}/{}", kMemory, OwnPrefix()), 0) == 0;
}

// Errors: it is not there, or other users can replace its files.
Result<Directory> OpenSafe(const std::string& directory) {
  const bool ours = IsDefault(directory);
  Result<Directory> open =
      Directory::Open(directory, ours ? Directory::Links::kRefuse : Directory::Links::kFollow);
  if (!open) return open;
  if (const std::string unsafe = open->WhyUnsafe(); !unsafe.empty()) return Error{unsafe};
  if (ours && !open->IsPrivate()) {
    return Error{fmt::format("{} is not a directory for this user alone", directory)};
  }
  return open;
}

// Opens a file in the directory, which is made if it is missing. On an error of the file errno is
// its. Another process of the job may remove the directory, when it is empty, at any moment: a few
// microseconds each time, and in the end it does not any more.
Result<int> OpenIn(const std::string& directory, const std::string& name, int flags) {
  constexpr int kAttempts = 10'000;
  for (int attempt = 1;; ++attempt) {
    errno = 0;
    const bool can_be_made = mkdir(directory.c_str(), kOurs) == 0 || errno != ENOENT;
    errno = 0;
    const Result<Directory> open = OpenSafe(directory);
    if (open) {
      const int fd = MoveAbove(openat(open->descriptor(), name.c_str(), flags, 0600));
      if (fd >= 0) return fd;
    }
    const int error = errno;
    if (error == ENOENT && can_be_made && attempt < kAttempts) continue;
    Error why{open ? fmt::format("{}/{}: {}", directory, name, std::strerror(error))
                   : open.error()};
    errno = open ? error : 0;
    return why;
  }
}

}  // namespace

std::string DefaultDirectory(const std::string& job) {
  const std::string key = job.empty() ? fmt::format("pid{}", getpid()) : AsNamePart(job);
  return fmt::format("{}/{}{}", kMemory, OwnPrefix(), key);
}

std::vector<std::string> DefaultDirectories() {
  std::vector<std::string> found;
  const Result<std::vector<std::string>> names = ListNames(kMemory);
  if (!names) return found;
  const std::string prefix = OwnPrefix();
  for (const std::string& name : *names) {
    std::string path = fmt::format("{}/{}", kMemory, name);
    // Other users can make anything of this name.
    if (name.starts_with(prefix) && OpenSafe(path)) found.push_back(std::move(path));
  }
  return found;
}

std::string FileName(uint32_t rank, const std::string& host, uint32_t pid) {
  return fmt::format("rank{}.{}.{}{}", rank, AsNamePart(host), pid, kExtension);
}

Result<NewFile> MakeFile(const std::string& directory, const std::string& name) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  for (int number = 0;; ++number) {
    std::string file = name;
    if (number > 0) file.insert(file.size() - std::strlen(kExtension), fmt::format(".{}", number));
    const Result<int> opened = OpenIn(directory, file, kFlags);
    if (opened) return NewFile{*opened, fmt::format("{}/{}", directory, file)};
    if (errno != EEXIST || number == 99) return Error{opened.error()};
  }
}

Result<int> OpenShared(const std::string& directory, const std::string& name) {
  return OpenIn(directory, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

void RemoveDirectory(const std::string& directory) noexcept {
  struct stat info;
  if (lstat(directory.c_str(), &info) != 0 || info.st_uid != geteuid()) return;
  if (!S_ISDIR(info.st_mode) || (info.st_mode & 07777) != kOurs) return;
  Presence::RemoveUnused(directory);
  rmdir(directory.c_str());
}

void RemoveAbandoned() noexcept try {
  constexpr time_t kEnoughS = 60;
  for (const std::string& directory : DefaultDirectories()) {
    struct stat info;
    if (lstat(directory.c_str(), &info) != 0 || time(nullptr) - info.st_mtime < kEnoughS) continue;
    const Result<std::vector<std::string>> spools = ListSpools(directory);
    if (spools && spools->empty()) RemoveDirectory(directory);
  }
} catch (...) {
}

Result<std::vector<std::string>> ListSpools(const std::string& directory) {
  const Result<std::vector<std::string>> names = ListNames(directory);
  if (!names) {
    return Error{fmt::format(
        "{}: {}; give the directory of ROOFMARK_SPOOL, or that of ROOFMARK_OUTPUT for snapshots",
        directory, names.error())};
  }
  std::vector<std::string> found;
  for (const std::string& name : *names) {
    if (name.ends_with(kExtension)) found.push_back(std::filesystem::path(directory) / name);
  }
  return found;
}

}  // namespace roofmark::spool
