// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/reserved_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "lib/core/descriptor.h"

namespace roofmark {
namespace {

bool Lock(int descriptor) noexcept {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

bool IsReserved(const struct stat& info) noexcept {
  return S_ISREG(info.st_mode) && info.st_size == 0 && info.st_uid == geteuid() &&
         (info.st_mode & S_ISVTX) != 0;
}

void MarkReserved(int descriptor) noexcept {
  struct stat info;
  if (!Lock(descriptor) || fstat(descriptor, &info) != 0) return;
  fchmod(descriptor, (info.st_mode & 07777) | S_ISVTX);
}

// -1 and EEXIST if it is anything else than what a dead process left.
int OpenAbandoned(int directory, const char* name) noexcept {
  const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  struct stat opened, named;
  // Asked before it is opened: that may do something to a device.
  const bool seems =
      fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && IsReserved(named);
  const int fd = seems ? MoveAbove(openat(directory, name, flags)) : -1;
  // Its process may have written the file before the lock was there.
  const bool ours = fd >= 0 && Lock(fd) && fstat(fd, &opened) == 0 && IsReserved(opened) &&
                    fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                    OpenFile::Of(opened) == OpenFile::Of(named);
  if (ours) return fd;
  if (fd >= 0) close(fd);
  errno = EEXIST;
  return -1;
}

// With EEXIST in errno. A link that leads nowhere is there, too.
bool IsThere(const FilePath& path) {
  struct stat info;
  const bool there = fstatat(path.directory, path.name(), &info, AT_SYMLINK_NOFOLLOW) == 0;
  if (there) errno = EEXIST;
  return there;
}

FilePath KeeperOf(const FilePath& path) {
  const size_t slash = path.shown.rfind('/');
  const size_t base = std::max(path.skip, slash == std::string::npos ? 0 : slash + 1);
  return path.Named(
      fmt::format("{}.{}.reserved", path.shown.substr(0, base), path.shown.substr(base)));
}

}  // namespace

bool TakeKeeper(const FilePath& path, ReservedName& reserved) {
  if (IsThere(path)) return false;
  const FilePath keeper = KeeperOf(path);
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  reserved.held = MoveAbove(openat(keeper.directory, keeper.name(), flags, 0666));
  reserved.was_left = reserved.held < 0 && errno == EEXIST;
  if (reserved.held >= 0) MarkReserved(reserved.held);
  if (reserved.was_left) reserved.held = OpenAbandoned(keeper.directory, keeper.name());
  if (reserved.held < 0) return false;
  reserved.keeper = keeper.shown;
  if (!IsThere(path)) return true;
  // Its process wrote the file meanwhile.
  RemoveFile(keeper);
  close(reserved.held);
  errno = EEXIST;
  return false;
}

}  // namespace roofmark
